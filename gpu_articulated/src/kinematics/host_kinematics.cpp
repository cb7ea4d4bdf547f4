// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematics/kinematics.hpp"

#include <omp.h>

namespace pcl::device {

std::size_t
host::scratchTransforms(const KinematicTree& tree)
{
  return std::size_t(omp_get_max_threads()) * tree.joint_count;
}

template <typename Skin>
void
host::turnPoses(const KinematicsTask<Skin>& task)
{
  const KinematicTree& tree = task.tree;
  const int per_pose = Skin::countPerPose(tree);
#pragma omp parallel if (task.count > 16)
  {
    JointTransform* const transforms =
        task.scratch + std::size_t(omp_get_thread_num()) * tree.joint_count;
#pragma omp for schedule(static)
    for (std::size_t pose = 0; pose < task.count; ++pose) {
      const float* const numbers = task.poses + pose * tree.pose_size;
      for (int i = 0; i < tree.joint_count; ++i) {
        const KinematicJoint& joint = tree.joints[i];
        const JointTransform local = startTransform(joint, numbers);
        transforms[i] =
            joint.parent < 0 ? local : compose(transforms[joint.parent], local);
      }
      for (int i = 0; i < per_pose; ++i)
        task.outputs[pose * per_pose + i] = Skin::make(tree, transforms, i);
    }
  }
}

template void
host::turnPoses(const KinematicsTask<PlaceCapsules<gpu::Capsule>>&);
template void
host::turnPoses(const KinematicsTask<PlaceCapsules<gpu::TaperedCapsule>>&);
template void
host::turnPoses(const KinematicsTask<PlaceJoints>&);

} // namespace pcl::device

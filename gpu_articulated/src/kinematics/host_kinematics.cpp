// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematics_driver.h"

#include <omp.h>

namespace pcl::device {

namespace {

template <typename Skin>
void
turnPoses(const KinematicsTask& task, typename Skin::Output* outputs)
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
        outputs[pose * per_pose + i] = Skin::make(tree, transforms, i);
    }
  }
}

class HostKinematicsDriver : public KinematicsDriver {
public:
  std::size_t
  scratchCount(const KinematicTree& tree) const override
  {
    return std::size_t(omp_get_max_threads()) * tree.joint_count;
  }

  void
  placeCapsules(const KinematicsTask& task,
                gpu::Capsule* capsules,
                Queue) const override
  {
    turnPoses<PlaceCapsules<gpu::Capsule>>(task, capsules);
  }

  void
  placeCapsules(const KinematicsTask& task,
                gpu::TaperedCapsule* capsules,
                Queue) const override
  {
    turnPoses<PlaceCapsules<gpu::TaperedCapsule>>(task, capsules);
  }

  void
  placeJoints(const KinematicsTask& task, Float4* positions, Queue) const override
  {
    turnPoses<PlaceJoints>(task, positions);
  }
};

} // namespace

const KinematicsDriver&
hostKinematicsDriver()
{
  static const HostKinematicsDriver driver;
  return driver;
}

} // namespace pcl::device

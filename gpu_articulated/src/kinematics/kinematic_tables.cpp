// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematics/kinematic_tables.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <algorithm>
#include <numeric>

namespace pcl::gpu {

namespace {

device::Vector3
asVector3(const Eigen::Vector3f& v)
{
  return {v.x(), v.y(), v.z()};
}

/** \brief Cuts memory into the tables of a tree.
 * \return bytes of all of them
 */
std::size_t
layOut(void* memory, device::KinematicTree& tree)
{
  device::ScratchPieces pieces(memory);
  tree.joints = pieces.take<device::KinematicJoint>(tree.joint_count);
  tree.depth_starts = pieces.take<int>(tree.depths + 1);
  tree.places = pieces.take<int>(tree.joint_count);
  tree.capsules = pieces.take<device::KinematicCapsule>(tree.capsule_count);
  return pieces.bytes();
}

} // namespace

KinematicTables::KinematicTables(const Skeleton& skeleton)
: has_plain_capsules(skeleton.hasPlainCapsules())
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  std::vector<int> depth_of(joints.size(), 0); // steps from the root
  for (std::size_t i = 1; i < joints.size(); ++i)
    depth_of[i] = depth_of[joints[i].parent] + 1;
  tree.joint_count = static_cast<int>(joints.size());
  tree.depths = *std::max_element(depth_of.begin(), depth_of.end()) + 1;
  tree.capsule_count = static_cast<int>(skeleton.getCapsules().size());
  tree.pose_size = skeleton.poseSize();
  std::vector<int> order(joints.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return depth_of[a] < depth_of[b];
  });

  bytes.resize(layOut(nullptr, tree));
  layOut(bytes.data(), tree);
  std::fill_n(tree.depth_starts, tree.depths + 1, 0);
  for (const int depth : depth_of)
    ++tree.depth_starts[depth + 1];
  std::partial_sum(
      tree.depth_starts, tree.depth_starts + tree.depths + 1, tree.depth_starts);
  for (int i = 0; i < tree.joint_count; ++i) {
    const SkeletonJoint& joint = joints[order[i]];
    tree.places[order[i]] = i;
    device::KinematicJoint& row = tree.joints[i];
    row = {};
    row.offset = asVector3(joint.offset);
    row.parent = joint.parent < 0 ? -1 : tree.places[joint.parent];
    row.first_angle = skeleton.angleIndex(order[i]);
    row.angle_count = static_cast<int>(joint.angles.size());
    for (int k = 0; k < row.angle_count; ++k)
      row.axes[k] = asVector3(joint.angles[k].axis);
  }
  for (int i = 0; i < tree.capsule_count; ++i) {
    const SkeletonCapsule& capsule = skeleton.getCapsules()[i];
    tree.capsules[i] = {asVector3(capsule.a),
                        capsule.radius_a,
                        asVector3(capsule.b),
                        capsule.radius_b,
                        tree.places[capsule.joint]};
  }
}

device::KinematicTree
KinematicTables::view(char* copy) const
{
  device::KinematicTree of_copy = tree;
  layOut(copy, of_copy);
  return of_copy;
}

} // namespace pcl::gpu

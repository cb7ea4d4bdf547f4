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

/** \brief Returns the number of steps from the root to each joint. */
std::vector<int>
depthsOf(const std::vector<SkeletonJoint>& joints)
{
  std::vector<int> depths(joints.size(), 0);
  for (std::size_t i = 1; i < joints.size(); ++i)
    depths[i] = depths[joints[i].parent] + 1;
  return depths;
}

/** \brief Places of the tables in memory, or their size if there is none. */
struct Pieces {
  Pieces(void* memory, int joint_count, int depths, int capsule_count)
  {
    device::ScratchPieces pieces(memory);
    joints = pieces.take<device::KinematicJoint>(joint_count);
    depth_starts = pieces.take<int>(depths + 1);
    places = pieces.take<int>(joint_count);
    capsules = pieces.take<device::KinematicCapsule>(capsule_count);
    bytes = pieces.bytes();
  }

  device::KinematicJoint* joints;
  int* depth_starts;
  int* places;
  device::KinematicCapsule* capsules;
  std::size_t bytes;
};

} // namespace

KinematicTables::KinematicTables(const Skeleton& skeleton)
: joint_count_(static_cast<int>(skeleton.getJoints().size()))
, capsule_count_(static_cast<int>(skeleton.getCapsules().size()))
, pose_size_(skeleton.poseSize())
, has_plain_capsules_(skeleton.hasPlainCapsules())
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  const std::vector<int> depth_of = depthsOf(joints);
  depths_ = *std::max_element(depth_of.begin(), depth_of.end()) + 1;
  std::vector<int> order(joint_count_);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return depth_of[a] < depth_of[b];
  });

  tables_.resize(Pieces(nullptr, joint_count_, depths_, capsule_count_).bytes);
  const Pieces pieces(tables_.data(), joint_count_, depths_, capsule_count_);
  std::fill_n(pieces.depth_starts, depths_ + 1, 0);
  for (const int depth : depth_of)
    ++pieces.depth_starts[depth + 1];
  std::partial_sum(
      pieces.depth_starts, pieces.depth_starts + depths_ + 1, pieces.depth_starts);
  for (int i = 0; i < joint_count_; ++i) {
    const SkeletonJoint& joint = joints[order[i]];
    pieces.places[order[i]] = i;
    device::KinematicJoint& row = pieces.joints[i];
    row = {};
    row.offset = asVector3(joint.offset);
    row.parent = joint.parent < 0 ? -1 : pieces.places[joint.parent];
    row.first_angle = skeleton.angleIndex(order[i]);
    row.angle_count = static_cast<int>(joint.angles.size());
    for (int k = 0; k < row.angle_count; ++k)
      row.axes[k] = asVector3(joint.angles[k].axis);
  }
  for (int i = 0; i < capsule_count_; ++i) {
    const SkeletonCapsule& capsule = skeleton.getCapsules()[i];
    pieces.capsules[i] = {asVector3(capsule.a),
                          capsule.radius_a,
                          asVector3(capsule.b),
                          capsule.radius_b,
                          pieces.places[capsule.joint]};
  }
}

device::KinematicTree
KinematicTables::view(const char* copy) const
{
  const Pieces pieces(const_cast<char*>(copy), joint_count_, depths_, capsule_count_);
  return {pieces.joints,
          pieces.depth_starts,
          pieces.places,
          pieces.capsules,
          joint_count_,
          depths_,
          capsule_count_,
          pose_size_};
}

} // namespace pcl::gpu

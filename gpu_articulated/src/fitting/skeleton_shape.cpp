// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/skeleton_shape.h"

#include "../skeleton/body_parts.h"
#include "fitting/pose_set.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

constexpr int trunk_group = 0;

/** \brief Returns the group of a part; -1: the factor of the whole body only. */
int
groupOf(BodyPart part)
{
  if (part == BodyPart::Unknown || part == BodyPart::End)
    return -1;
  if (part == BodyPart::Neck || part == BodyPart::Head)
    return 1;
  if (part >= BodyPart::UpperArm)
    return 2;
  return part >= BodyPart::Thigh && part <= BodyPart::Toe ? 3 : trunk_group;
}

} // namespace

SkeletonShape::SkeletonShape(const Skeleton& skeleton) : skeleton_(skeleton)
{
  const Body body(skeleton);
  for (const BodyPart part : body.parts)
    groups_.push_back(groupOf(part));
  left_ = body.left;
}

Skeleton
SkeletonShape::resized(const float* logarithms) const
{
  const auto factor = [&](const float* of_groups, int joint) {
    const int group = groups_[joint];
    return std::exp(logarithms[0] + (group < 0 ? 0.0f : of_groups[group]));
  };
  const float widening = std::exp(logarithms[trunk_width]) - 1.0f;
  const auto resize = [&](const Eigen::Vector3f& vector, int joint) {
    const Eigen::Vector3f longer = factor(logarithms + 1, joint) * vector;
    if (groups_[joint] != trunk_group)
      return longer;
    return Eigen::Vector3f(longer + widening * longer.dot(left_) * left_);
  };
  Skeleton resized = skeleton_;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    SkeletonJoint joint = skeleton_.getJoints()[i];
    joint.offset = resize(joint.offset, joint.parent);
    resized.setJoint(static_cast<int>(i), joint);
  }
  for (std::size_t i = 0; i < skeleton_.getCapsules().size(); ++i) {
    SkeletonCapsule capsule = skeleton_.getCapsules()[i];
    capsule.a = resize(capsule.a, capsule.joint);
    capsule.b = resize(capsule.b, capsule.joint);
    const float thickening = factor(logarithms + 1 + shape_groups, capsule.joint);
    capsule.radius_a *= thickening;
    capsule.radius_b *= thickening;
    resized.setCapsule(static_cast<int>(i), capsule);
  }
  return resized;
}

bool
SkeletonShape::matters(int factor) const
{
  if (factor == 0)
    return true;
  const int group = factor == trunk_width ? trunk_group : (factor - 1) % shape_groups;
  const auto& capsules = skeleton_.getCapsules();
  return std::any_of(capsules.begin(), capsules.end(), [&](const auto& capsule) {
    return groups_[capsule.joint] == group;
  });
}

BodyNumbers
numbersOf(const std::vector<float>& pose)
{
  BodyNumbers numbers(pose_start, 0.0f);
  numbers.insert(numbers.end(), pose.begin(), pose.end());
  return numbers;
}

std::vector<float>
poseOf(const BodyNumbers& numbers)
{
  std::vector<float> pose(numbers.begin() + pose_start, numbers.end());
  const auto turn = Eigen::Vector3f::Map(numbers.data() + turn_start);
  const float angle = turn.norm();
  if (angle > 0.0f)
    setOrientation(orientationOf(pose.data()).normalized() *
                       Eigen::AngleAxisf(angle, turn / angle),
                   pose.data());
  return pose;
}

} // namespace pcl::gpu

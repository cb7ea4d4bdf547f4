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

/** \brief Returns the group of a part. */
ShapeGroup
groupOf(BodyPart part)
{
  if (part == BodyPart::Unknown || part == BodyPart::End)
    return NoGroup;
  if (part == BodyPart::Neck || part == BodyPart::Head)
    return HeadGroup;
  if (part >= BodyPart::UpperArm)
    return part == BodyPart::UpperArm ? UpperArmGroup : ForearmGroup;
  return part >= BodyPart::Thigh && part <= BodyPart::Toe ? LegGroup : TrunkGroup;
}

} // namespace

SkeletonShape::SkeletonShape(const Skeleton& skeleton)
: SkeletonShape(skeleton, Body(skeleton))
{}

SkeletonShape::SkeletonShape(const Skeleton& skeleton, const Body& body)
: skeleton_(skeleton)
, left_(body.left)
{
  for (const BodyPart part : body.parts)
    groups_.push_back(groupOf(part));
}

float
SkeletonShape::factorOf(int joint,
                        const float* logarithms,
                        const float* of_groups) const
{
  const ShapeGroup group = groups_[joint];
  return std::exp(logarithms[0] + (group == NoGroup ? 0.0f : of_groups[group]));
}

Eigen::Vector3f
SkeletonShape::resized(const Eigen::Vector3f& vector,
                       int joint,
                       const float* logarithms) const
{
  const Eigen::Vector3f longer = factorOf(joint, logarithms, logarithms + 1) * vector;
  if (groups_[joint] != TrunkGroup)
    return longer;
  const float widening = std::exp(logarithms[trunk_width]) - 1.0f;
  return longer + widening * longer.dot(left_) * left_;
}

Eigen::Vector3f
SkeletonShape::derivative(const Eigen::Vector3f& resized, int joint, int number) const
{
  if (number == 0 || number == 1 + groups_[joint])
    return resized;
  if (number == trunk_width && groups_[joint] == TrunkGroup)
    return resized.dot(left_) * left_;
  return Eigen::Vector3f::Zero();
}

Skeleton
SkeletonShape::resized(const float* logarithms) const
{
  Skeleton result = skeleton_;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    SkeletonJoint joint = skeleton_.getJoints()[i];
    joint.offset = this->resized(joint.offset, joint.parent, logarithms);
    result.setJoint(static_cast<int>(i), joint);
  }
  for (std::size_t i = 0; i < skeleton_.getCapsules().size(); ++i) {
    SkeletonCapsule capsule = skeleton_.getCapsules()[i];
    capsule.a = this->resized(capsule.a, capsule.joint, logarithms);
    capsule.b = this->resized(capsule.b, capsule.joint, logarithms);
    const float thickening =
        factorOf(capsule.joint, logarithms, logarithms + 1 + shape_groups);
    capsule.radius_a *= thickening;
    capsule.radius_b *= thickening;
    result.setCapsule(static_cast<int>(i), capsule);
  }
  return result;
}

bool
SkeletonShape::matters(int factor) const
{
  if (factor == 0)
    return true;
  const int group = factor == trunk_width ? TrunkGroup : (factor - 1) % shape_groups;
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

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "skeleton_shape.h"

#include "body_parts.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

constexpr int trunk_group = 0;

int
groupOf(BodyPart part)
{
  switch (part) {
  case BodyPart::Pelvis:
  case BodyPart::HipJoint:
  case BodyPart::Trunk:
  case BodyPart::Clavicle:
    return trunk_group;
  case BodyPart::Neck:
  case BodyPart::Head:
    return 1;
  case BodyPart::UpperArm:
  case BodyPart::Forearm:
  case BodyPart::Hand:
  case BodyPart::Finger:
  case BodyPart::Thumb:
    return 2;
  case BodyPart::Thigh:
  case BodyPart::Calf:
  case BodyPart::Foot:
  case BodyPart::Toe:
    return 3;
  default:
    return -1;
  }
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
  const auto length = [&](int joint) {
    const int group = groups_[joint];
    return std::exp(logarithms[0] + (group < 0 ? 0.0f : logarithms[1 + group]));
  };
  const float widening = std::exp(logarithms[trunk_width]) - 1.0f;
  const auto resize = [&](const Eigen::Vector3f& vector, int joint) {
    const Eigen::Vector3f longer = length(joint) * vector;
    if (groups_[joint] != trunk_group)
      return longer;
    return Eigen::Vector3f(longer + widening * longer.dot(left_) * left_);
  };
  const auto radius = [&](int joint) {
    const int group = groups_[joint];
    return std::exp(logarithms[0] +
                    (group < 0 ? 0.0f : logarithms[1 + shape_groups + group]));
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
    capsule.radius_a *= radius(capsule.joint);
    capsule.radius_b *= radius(capsule.joint);
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

} // namespace pcl::gpu

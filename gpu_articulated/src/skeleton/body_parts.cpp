// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include "joint_name.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace pcl::gpu {

namespace {

/** \brief Thigh and calf of a person of 1.75 m, metres. */
constexpr float usual_leg = 0.8607f;

constexpr std::uint32_t
bitOf(BodyPart part)
{
  return 1u << static_cast<unsigned>(part);
}

/** \brief Returns for each joint the parts among its descendants, a bit each. */
std::vector<std::uint32_t>
partsBelow(const std::vector<int>& parents, const std::vector<BodyPart>& parts)
{
  std::vector<std::uint32_t> below(parts.size(), 0);
  for (std::size_t i = parts.size(); i-- > 1;)
    below[parents[i]] |= below[i] | bitOf(parts[i]);
  return below;
}

bool
isInTheMiddle(BodyPart part)
{
  return part == BodyPart::Pelvis || part == BodyPart::Trunk ||
         part == BodyPart::Neck || part == BodyPart::Head;
}

} // namespace

Body::Body(const Skeleton& skeleton)
{
  const auto& joints = skeleton.getJoints();
  const int count = static_cast<int>(joints.size());
  std::vector<JointName> names;
  for (const SkeletonJoint& joint : joints) {
    names.emplace_back(joint.name);
    sides.push_back(names.back().side());
    parts.push_back(names.back().part());
    parents.push_back(joint.parent);
    positions.push_back(joint.parent < 0 ? Eigen::Vector3f::Zero().eval()
                                         : (positions[joint.parent] + joint.offset));
  }
  refineParts(names);

  const auto isLegBone = [&](int joint) {
    return joint >= 0 &&
           (parts[joint] == BodyPart::Thigh || parts[joint] == BodyPart::Calf);
  };
  float leg = 0.0f;
  int legs = 0;
  for (int i = count - 1; i >= 0; --i) {
    const int side = sides[i] > 0 ? 0 : 1;
    if (sides[i] != 0 && parts[i] == BodyPart::Thigh)
      hips[side] = i;
    if (sides[i] != 0 && parts[i] == BodyPart::UpperArm)
      shoulders[side] = i;
    if (parts[i] == BodyPart::Foot && parents[i] >= 0 &&
        parts[parents[i]] == BodyPart::Calf) {
      float length = joints[i].offset.norm();
      int joint = parents[i];
      // Some bodies have several joints along a bone, which turn about it.
      do {
        length += joints[joint].offset.norm();
        joint = parents[joint];
      }
      while (isLegBone(joint) && isLegBone(parents[joint]));
      leg += length;
      ++legs;
    }
  }
  if (legs > 0 && leg > 0.0f)
    scale = leg / static_cast<float>(legs) / usual_leg;

  if (std::min({hips[0], hips[1], shoulders[0], shoulders[1]}) < 0)
    return;
  const Eigen::Vector3f upwards = middle(shoulders) - middle(hips);
  const Eigen::Vector3f sideways = positions[hips[0]] - positions[hips[1]];
  const Eigen::Vector3f ahead = sideways.cross(upwards);
  if (ahead.norm() < 1e-3f * scale * scale)
    return;
  has_trunk = true;
  forward = ahead.normalized();
  up = upwards.normalized();
  left = up.cross(forward);
}

void
Body::refineParts(const std::vector<JointName>& names)
{
  const std::size_t count = parts.size();
  const auto parentOf = [&](std::size_t i) {
    return parents[i] < 0 ? BodyPart::Unknown : parts[parents[i]];
  };
  std::vector<std::uint32_t> below = partsBelow(parents, parts);
  std::vector<bool> in_leg(count, false); // at or behind a thigh
  for (std::size_t i = 0; i < count; ++i) {
    // "LeftShoulder" is a collarbone in some files, and an upper arm in others;
    // "LeftLeg" a calf in some, and a thigh before "LeftKnee" in others.
    const bool is_shoulder = names[i].hasWord("shoulder") || names[i].hasWord("shldr");
    if (parts[i] == BodyPart::Clavicle && is_shoulder &&
        !(below[i] & bitOf(BodyPart::UpperArm)))
      parts[i] = BodyPart::UpperArm;
    // A Kinect's "ShoulderCenter" is before both shoulders.
    if (is_shoulder && sides[i] == 0 && (below[i] & bitOf(BodyPart::Clavicle)))
      parts[i] = BodyPart::Trunk;
    in_leg[i] = parts[i] == BodyPart::Thigh || (parents[i] >= 0 && in_leg[parents[i]]);
    if (parts[i] == BodyPart::Calf && names[i].hasWord("leg") && !in_leg[i] &&
        !names[i].hasWord("lower") && !names[i].hasWord("low") &&
        (below[i] & bitOf(BodyPart::Calf))) {
      parts[i] = BodyPart::Thigh;
      in_leg[i] = true;
    }
    // Others have an ankle and a foot, or toes that are named as fingers of a foot.
    if (parts[i] == BodyPart::Foot &&
        (parentOf(i) == BodyPart::Foot || parentOf(i) == BodyPart::Toe))
      parts[i] = BodyPart::Toe;
    if (parts[i] == BodyPart::Head && parentOf(i) == BodyPart::Head)
      parts[i] = BodyPart::End;
  }
  // Children come before their parents.
  std::fill(below.begin(), below.end(), 0);
  for (std::size_t i = count; i-- > 0;) {
    // A side's hip is where its thigh begins, or lies before it.
    if (parts[i] == BodyPart::Pelvis && sides[i] != 0)
      parts[i] =
          (below[i] & bitOf(BodyPart::Calf)) && !(below[i] & bitOf(BodyPart::Thigh))
              ? BodyPart::Thigh
              : BodyPart::HipJoint;
    // A root on the floor, such as MotionBuilder's "Reference".
    if (parts[i] == BodyPart::Unknown && (below[i] & bitOf(BodyPart::Pelvis)))
      parts[i] = BodyPart::End;
    if (isInTheMiddle(parts[i]))
      sides[i] = 0;
    if (parents[i] >= 0)
      below[parents[i]] |= below[i] | bitOf(parts[i]);
  }
}

Eigen::Vector3f
Body::middle(const int (&pair)[2]) const
{
  return 0.5f * (positions[pair[0]] + positions[pair[1]]);
}

int
Body::childOf(int joint, BodyPart part) const
{
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parents[i] == joint && parts[i] == part)
      return static_cast<int>(i);
  return -1;
}

int
Body::tipOf(int joint, BodyPart part) const
{
  std::vector<bool> belongs(parts.size(), false);
  belongs[joint] = true;
  int tip = joint;
  float farthest = 0.0f;
  for (std::size_t i = joint + 1; i < parts.size(); ++i) {
    belongs[i] = belongs[parents[i]] && (parts[i] == part || parts[i] == parts[joint] ||
                                         parts[i] == BodyPart::End);
    const float distance = (positions[i] - positions[joint]).norm();
    if (belongs[i] && distance > farthest) {
      farthest = distance;
      tip = static_cast<int>(i);
    }
  }
  return tip;
}

Skeleton::Ptr
withSkinOf(const Skeleton& skeleton, const std::vector<bool>& has_skin)
{
  auto part = std::make_shared<Skeleton>();
  for (const SkeletonJoint& joint : skeleton.getJoints())
    part->addJoint(joint);
  for (const SkeletonCapsule& capsule : skeleton.getCapsules())
    if (has_skin[capsule.joint])
      part->addCapsule(capsule);
  return part;
}

} // namespace pcl::gpu

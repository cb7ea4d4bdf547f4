// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include <pcl/common/angles.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <map>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

/** \brief Height of the person with the positions below, metres. */
constexpr float usual_height = 1.75f;

/** \brief Height of the root above the floor, metres. */
constexpr float root_height = 0.965f;

JointAngle
angle(const Vector3f& axis, float lower, float upper, float deviation)
{
  return {axis, deg2rad(lower), deg2rad(upper), deviation};
}

/** \brief A joint of the middle, or one of the left and its mirror image on the
 * right. */
struct JointRow {
  const char* name; ///< %s stands for the side
  const char* parent;
  Vector3f position; ///< metres above the floor, of a person of the usual height
  std::vector<JointAngle> angles;
};

std::vector<JointRow>
jointRows()
{
  const Vector3f x = Vector3f::UnitX();
  const Vector3f y = Vector3f::UnitY();
  const Vector3f z = Vector3f::UnitZ();
  // Arms are along +x on the left. Elbows bend forward, hands towards the palms,
  // downward.
  constexpr float height = 1.4315f;
  constexpr float depth = -0.02f;
  // Legs are along -y. Hips bend forward, knees backward, ankles upward.
  return {
      {"Hips", "", {0.0f, root_height, 0.0f}, {}},
      {"Spine",
       "Hips",
       {0.0f, 1.05f, -0.015f},
       {angle(x, -25, 45, 0.3f), angle(z, -25, 25, 0.3f), angle(y, -25, 25, 0.3f)}},
      {"Spine1",
       "Spine",
       {0.0f, 1.20f, -0.025f},
       {angle(x, -25, 40, 0.3f), angle(z, -25, 25, 0.3f), angle(y, -30, 30, 0.3f)}},
      {"Neck",
       "Spine1",
       {0.0f, 1.47f, -0.03f},
       {angle(x, -35, 40, 0.3f), angle(z, -30, 30, 0.3f), angle(y, -45, 45, 0.4f)}},
      {"Head",
       "Neck",
       {0.0f, 1.58f, 0.0f},
       {angle(x, -30, 30, 0.4f), angle(z, -20, 20, 0.3f), angle(y, -45, 45, 0.5f)}},
      {"Head_end", "Head", {0.0f, usual_height, 0.0f}, {}},
      {"%sShoulder",
       "Spine1",
       {0.02f, 1.44f, -0.01f},
       {angle(z, -10, 35, 0.2f), angle(y, -25, 20, 0.2f)}},
      {"%sArm",
       "%sShoulder",
       {0.168f, height, depth},
       {angle(z, -110, 95, 1.0f), angle(y, -130, 60, 1.0f), angle(x, -110, 100, 1.0f)}},
      {"%sForeArm", "%sArm", {0.451f, height, depth}, {angle(-y, -5, 155, 1.2f)}},
      {"%sHand",
       "%sForeArm",
       {0.721f, height, depth},
       {angle(x, -95, 95, 1.0f), angle(-z, -75, 80, 0.8f), angle(-y, -40, 25, 0.5f)}},
      {"%sHandIndex1", "%sHand", {0.811f, height, depth}, {angle(-z, -20, 95, 0.8f)}},
      {"%sHandIndex1_end", "%sHandIndex1", {0.903f, height, depth}, {}},
      {"%sHandThumb", "%sHand", {0.746f, height - 0.005f, depth + 0.028f}, {}},
      {"%sHandThumb_end", "%sHandThumb", {0.800f, height - 0.015f, depth + 0.058f}, {}},
      {"%sUpLeg",
       "Hips",
       {0.085f, 0.928f, 0.01f},
       {angle(-x, -35, 130, 0.7f), angle(z, -35, 65, 0.6f), angle(y, -50, 50, 0.5f)}},
      {"%sLeg", "%sUpLeg", {0.088f, 0.504f, 0.012f}, {angle(x, -5, 155, 1.0f)}},
      {"%sFoot",
       "%sLeg",
       {0.092f, 0.068f, -0.022f},
       {angle(-x, -55, 35, 0.6f), angle(z, -30, 30, 0.4f)}},
      {"%sToeBase", "%sFoot", {0.102f, 0.024f, 0.105f}, {angle(-x, -35, 65, 0.4f)}},
      {"%sToeBase_end", "%sToeBase", {0.104f, 0.020f, 0.170f}, {}}};
}

/** \brief Returns a joint's name on a side. */
std::string
sided(std::string name, const char* side)
{
  const std::size_t place = name.find("%s");
  return place == std::string::npos ? name : name.replace(place, 2, side);
}

Vector3f
mirrored(const Vector3f& vector)
{
  return {-vector.x(), vector.y(), vector.z()};
}

} // namespace

Skeleton
makeHumanSkeleton(float height)
{
  checkPositive("height", height);
  const float scale = height / usual_height;
  Skeleton skeleton;
  std::map<std::string, Vector3f> positions;
  for (const JointRow& row : jointRows())
    for (const char* const side : {"Left", "Right"}) {
      const bool is_mirrored = side[0] == 'R';
      SkeletonJoint joint;
      joint.name = sided(row.name, side);
      if (skeleton.findJoint(joint.name) >= 0)
        continue; // one of the middle
      const std::string parent = sided(row.parent, side);
      Vector3f& position = positions[joint.name];
      position = is_mirrored ? mirrored(row.position) : row.position;
      joint.parent = skeleton.findJoint(parent);
      if (joint.parent >= 0)
        joint.offset = scale * (position - positions.at(parent));
      joint.angles = row.angles;
      if (is_mirrored)
        for (JointAngle& turn : joint.angles)
          turn.axis = -mirrored(turn.axis);
      skeleton.addJoint(joint);
    }
  addBodyCapsules(skeleton);
  return skeleton;
}

Skeleton
withoutLegs(const Skeleton& skeleton)
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  checkArgument(!joints.empty(), "number of joints", 0, "a body");
  const std::vector<BodyPart> parts = Body(skeleton).parts;
  std::vector<int> numbers(joints.size(), -1); // of the joints that stay
  Skeleton rest;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    SkeletonJoint joint = joints[i];
    const bool is_leg = parts[i] == BodyPart::Thigh || parts[i] == BodyPart::HipJoint;
    if (is_leg || (joint.parent >= 0 && numbers[joint.parent] < 0))
      continue;
    if (joint.parent >= 0)
      joint.parent = numbers[joint.parent];
    numbers[i] = rest.addJoint(joint);
  }
  checkArgument(
      rest.getJoints().size() < joints.size(), "number of legs", 0, "a body with legs");
  for (SkeletonCapsule capsule : skeleton.getCapsules()) {
    capsule.joint = numbers[capsule.joint];
    if (capsule.joint >= 0)
      rest.addCapsule(capsule);
  }
  return rest;
}

} // namespace pcl::gpu

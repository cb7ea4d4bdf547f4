// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include <pcl/common/angles.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Angles in degrees. */
struct Range {
  float lower, upper;
};

/** \brief Limits of a joint of the left side. */
struct PartLimits {
  BodyPart part;
  Range about[3];  ///< the directions to the left, up and forward
  float deviation; ///< radians over one second
};

constexpr float none = std::numeric_limits<float>::infinity();

constexpr PartLimits part_limits[] = {
    {BodyPart::HipJoint, {{-15, 15}, {-15, 15}, {-15, 15}}, 0.06f},
    {BodyPart::Thigh, {{-none, none}, {-none, none}, {-none, none}}, 0.36f},
    {BodyPart::Calf, {{-10, 160}, {-30, 35}, {-20, 40}}, 0.48f},
    {BodyPart::Foot, {{-none, none}, {-none, none}, {-none, none}}, 0.36f},
    {BodyPart::Toe, {{-65, 65}, {-25, 25}, {-15, 15}}, 0.24f},
    {BodyPart::Trunk, {{-45, 90}, {-45, 45}, {-55, 55}}, 0.18f},
    {BodyPart::Neck, {{-50, 50}, {-60, 60}, {-60, 60}}, 0.18f},
    {BodyPart::Head, {{-45, 45}, {-60, 60}, {-40, 40}}, 0.18f},
    {BodyPart::Clavicle, {{-30, 30}, {-35, 35}, {-30, 30}}, 0.15f},
    {BodyPart::UpperArm, {{-none, none}, {-none, none}, {-none, none}}, 0.6f},
    {BodyPart::Forearm, {{-120, 15}, {-150, 120}, {-10, 165}}, 0.6f},
    {BodyPart::Hand, {{-150, 150}, {-70, 70}, {-90, 90}}, 0.48f},
    {BodyPart::Finger, {{-40, 40}, {-70, 70}, {-70, 70}}, 0.3f},
    {BodyPart::Thumb, {{-90, 90}, {-90, 90}, {-90, 90}}, 0.3f}};

/** \brief Marks the joints that move a capsule, or a bone without skin. */
std::vector<bool>
jointsThatMatter(const Skeleton& skeleton)
{
  const auto& joints = skeleton.getJoints();
  std::vector<bool> matters(joints.size(), false);
  for (const SkeletonCapsule& capsule : skeleton.getCapsules())
    matters[capsule.joint] = true;
  for (std::size_t i = joints.size(); i-- > 1;) {
    const bool is_bone =
        skeleton.getCapsules().empty() && !joints[i].offset.isZero(0.0f);
    if (matters[i] || is_bone)
      matters[joints[i].parent] = true;
  }
  return matters;
}

void
limit(JointAngle& angle, const PartLimits& limits, const Body& body, int side)
{
  const Eigen::Vector3f along(
      angle.axis.dot(body.left), angle.axis.dot(body.up), angle.axis.dot(body.forward));
  int axis = 0;
  if (along.cwiseAbs().maxCoeff(&axis) < 0.9f)
    return;
  Range range = limits.about[axis];
  // In the mirror the turn about the axis from side to side is the same.
  const bool is_mirrored = side < 0 && axis != 0;
  if (is_mirrored != (along[axis] < 0.0f))
    range = {-range.upper, -range.lower};
  angle.lower = deg2rad(range.lower);
  angle.upper = deg2rad(range.upper);
}

} // namespace

void
setBodyLimits(Skeleton& skeleton)
{
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  const Body body(skeleton);
  const std::vector<bool> matters = jointsThatMatter(skeleton);
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    SkeletonJoint joint = skeleton.getJoints()[i];
    for (const PartLimits& limits : part_limits)
      if (limits.part == body.parts[i])
        for (JointAngle& angle : joint.angles) {
          limit(angle, limits, body, body.sides[i]);
          angle.deviation = matters[i] ? limits.deviation : 0.0f;
        }
    skeleton.setJoint(static_cast<int>(i), joint);
  }
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

/** \brief Bones shorter than this get no capsule, metres. */
constexpr float shortest_bone = 0.005f;

/** \brief A piece of a long bone. Its ends are shares of the bone's length. */
struct Piece {
  float from, to;
  float radius; ///< metres of a person of 1.75 m
};

/** \brief Pieces of the bone from a joint to its child. */
struct LongBone {
  BodyPart part, child;
  std::vector<Piece> pieces;
};

const LongBone long_bones[] = {
    {BodyPart::Thigh,
     BodyPart::Calf,
     {{0.0f, 0.33f, 0.090f}, {0.33f, 0.67f, 0.079f}, {0.67f, 1.0f, 0.065f}}},
    {BodyPart::Calf, BodyPart::Foot, {{0.06f, 0.45f, 0.056f}, {0.45f, 1.0f, 0.040f}}},
    {BodyPart::UpperArm,
     BodyPart::Forearm,
     {{0.0f, 0.5f, 0.051f}, {0.5f, 1.0f, 0.045f}}},
    {BodyPart::Forearm, BodyPart::Hand, {{0.0f, 0.5f, 0.044f}, {0.5f, 1.0f, 0.033f}}},
    {BodyPart::Clavicle, BodyPart::UpperArm, {{0.2f, 1.0f, 0.055f}}}};

/** \brief A capsule of a head, hand or foot. Lengths are metres of a person of 1.75
 * m. */
struct EndRow {
  const char* name; ///< behind the joint's name
  int joint;        ///< that it moves with
  float a[2];       ///< one end, along two axes from the joint of the part
  float b[2];       ///< the other end
  float radius;
};

/** \brief A capsule across the trunk. Lengths are metres of a person of 1.75 m. */
struct TrunkRow {
  float height; ///< 0: at the hips, 1: at the shoulders
  float half_length;
  float radius;
  float forward; ///< in front of the line from hips to shoulders
};

constexpr TrunkRow trunk_rows[] = {{-0.04f, 0.058f, 0.118f, 0.008f},
                                   {0.14f, 0.048f, 0.115f, 0.022f},
                                   {0.32f, 0.043f, 0.112f, 0.034f},
                                   {0.50f, 0.047f, 0.113f, 0.033f},
                                   {0.68f, 0.058f, 0.115f, 0.022f},
                                   {0.84f, 0.085f, 0.103f, 0.010f},
                                   {0.98f, 0.100f, 0.070f, -0.001f}};

/** \brief Returns whether a body has a part on either side. */
bool
hasTwo(BodyPart part)
{
  return (part >= BodyPart::HipJoint && part <= BodyPart::Toe) ||
         part >= BodyPart::Clavicle;
}

class BodySkin {
public:
  explicit BodySkin(Skeleton& skeleton) : skeleton_(skeleton), body_(skeleton) {}

  void
  make()
  {
    if (body_.has_trunk)
      makeTrunk();
    for (std::size_t i = 0; i < body_.parts.size(); ++i)
      makePart(static_cast<int>(i));
  }

private:
  const std::string&
  nameOf(int joint) const
  {
    return skeleton_.getJoints()[joint].name;
  }

  /** \brief Adds a capsule.
   * \param[in] a one end when all angles are 0
   * \param[in] b the other end
   */
  void
  add(const std::string& name,
      int joint,
      const Vector3f& a,
      const Vector3f& b,
      float radius)
  {
    SkeletonCapsule capsule;
    capsule.name = name;
    capsule.joint = joint;
    capsule.a = a - body_.positions[joint];
    capsule.b = b - body_.positions[joint];
    capsule.radius_a = capsule.radius_b = radius * body_.scale;
    skeleton_.addCapsule(capsule);
  }

  /** \brief Adds the capsules of a head, hand or foot. */
  void
  addRows(int joint,
          const Vector3f& first,
          const Vector3f& second,
          std::initializer_list<EndRow> rows)
  {
    const auto moved = [&](const float(&steps)[2]) -> Vector3f {
      return body_.positions[joint] +
             body_.scale * (steps[0] * first + steps[1] * second);
    };
    for (const EndRow& row : rows)
      add(nameOf(joint) + row.name, row.joint, moved(row.a), moved(row.b), row.radius);
  }

  /** \brief Adds capsules across the trunk, each on the joint of the spine just below
   * it. */
  void
  makeTrunk()
  {
    const Vector3f hips = body_.middle(body_.hips);
    const Vector3f shoulders = body_.middle(body_.shoulders);
    // From the nearest common ancestor of the shoulders. Parents come before their
    // children.
    int chest = body_.shoulders[0];
    for (int other = body_.shoulders[1]; chest != other;)
      (chest > other ? chest : other) = body_.parents[std::max(chest, other)];
    std::vector<int> spine;
    for (int i = chest; i >= 0; i = body_.parents[i])
      spine.insert(spine.begin(), i);
    const auto jointBelow = [&](const Vector3f& point) {
      int below = spine.front();
      for (const int joint : spine)
        if ((point - body_.positions[joint]).dot(body_.up) >= 0.0f)
          below = joint;
      return below;
    };

    int number = 1;
    for (const TrunkRow& row : trunk_rows) {
      const Vector3f center = hips + row.height * (shoulders - hips) +
                              body_.scale * row.forward * body_.forward;
      const Vector3f half = body_.scale * row.half_length * body_.left;
      add("Trunk_" + std::to_string(number++),
          jointBelow(center),
          center + half,
          center - half,
          row.radius);
    }
    const Vector3f low = hips + 0.64f * (shoulders - hips);
    const Vector3f high = hips + 0.9f * (shoulders - hips);
    for (const float side : {1.0f, -1.0f})
      add(side > 0.0f ? "LeftFlank" : "RightFlank",
          jointBelow(low),
          low + side * 0.122f * body_.scale * body_.left,
          high + side * 0.138f * body_.scale * body_.left,
          0.056f);
  }

  void
  makePart(int joint)
  {
    const BodyPart part = body_.parts[joint];
    for (const LongBone& bone : long_bones)
      if (bone.part == part)
        addPieces(joint, bone);
    if (part == BodyPart::Neck)
      addEachBone(joint, 0.057f);
    else if (part == BodyPart::Head)
      makeHead(joint);
    else if (part == BodyPart::Hand)
      makeHand(joint);
    else if (part == BodyPart::Foot)
      makeFoot(joint);
    else if (part == BodyPart::Trunk && !body_.has_trunk)
      addEachBone(joint, 0.115f);
    else if (part == BodyPart::Unknown)
      addEachBone(joint, 0.0f);
  }

  /** \brief Adds the pieces of a long bone. Without its child, every bone is one
   * piece. */
  void
  addPieces(int joint, const LongBone& long_bone)
  {
    const std::vector<Piece>& pieces = long_bone.pieces;
    const int child = body_.childOf(joint, long_bone.child);
    if (child < 0)
      return addEachBone(joint, pieces.front().radius);
    const Vector3f& start = body_.positions[joint];
    const Vector3f bone = body_.positions[child] - start;
    if (bone.norm() < shortest_bone)
      return;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      add(nameOf(joint) + (pieces.size() == 1 ? "" : "_" + std::to_string(i + 1)),
          joint,
          start + pieces[i].from * bone,
          start + pieces[i].to * bone,
          pieces[i].radius);
  }

  /** \brief Adds a capsule from a joint to each of its children.
   * \param[in] radius 0: by the length of the bone
   */
  void
  addEachBone(int joint, float radius)
  {
    for (std::size_t i = joint + 1; i < body_.parts.size(); ++i) {
      if (body_.parents[i] != joint)
        continue;
      const float length = (body_.positions[i] - body_.positions[joint]).norm();
      if (length < shortest_bone)
        continue;
      add(nameOf(joint) + "_" + nameOf(static_cast<int>(i)),
          joint,
          body_.positions[joint],
          body_.positions[i],
          radius > 0.0f ? radius : length / 6.0f / body_.scale);
    }
  }

  void
  makeHead(int joint)
  {
    addRows(joint,
            body_.up,
            body_.forward,
            {{"_skull", joint, {0.078f, -0.008f}, {0.080f, 0.026f}, 0.089f},
             {"_jaw", joint, {0.015f, 0.030f}, {-0.005f, 0.070f}, 0.050f}});
  }

  /** \brief Adds palm, fingers and thumb, also to a skeleton without bones for them. */
  void
  makeHand(int joint)
  {
    // "LeftHand" may come after "LeftWrist".
    if (body_.parents[joint] >= 0 &&
        body_.parts[body_.parents[joint]] == BodyPart::Hand)
      return;
    const Vector3f& wrist = body_.positions[joint];
    Vector3f bone = body_.positions[body_.tipOf(joint, BodyPart::Finger)] - wrist;
    if (bone.norm() < shortest_bone && body_.parents[joint] >= 0)
      bone = wrist - body_.positions[body_.parents[joint]];
    if (bone.norm() < shortest_bone)
      return;
    const Vector3f along = bone.normalized();
    // The thumb is at the front of the palm, for arms at rest and for stretched arms.
    Vector3f across = body_.forward - along.dot(body_.forward) * along;
    if (across.norm() < 0.1f)
      across = body_.left - along.dot(body_.left) * along;
    across.normalize();

    float palm = 0.085f;
    int finger = body_.childOf(joint, BodyPart::Finger);
    const float to_finger =
        finger < 0 ? 0.0f : (body_.positions[finger] - wrist).norm() / body_.scale;
    if (to_finger < 0.06f)
      finger = joint;
    else
      palm = to_finger;
    const float fingers = palm + 0.005f;
    const float knuckle = palm - 0.005f;
    addRows(
        joint,
        along,
        across,
        {{"_palm_1", joint, {0.015f, 0.7f * 0.020f}, {knuckle, 0.020f}, 0.020f},
         {"_fingers_1", finger, {fingers, 0.020f}, {0.168f, 0.8f * 0.020f}, 0.014f},
         {"_palm_2", joint, {0.015f, 0.7f * -0.020f}, {knuckle, -0.020f}, 0.020f},
         {"_fingers_2", finger, {fingers, -0.020f}, {0.155f, 0.8f * -0.020f}, 0.014f}});
    const int thumb = body_.childOf(joint, BodyPart::Thumb);
    const int tip = thumb < 0 ? -1 : body_.tipOf(thumb, BodyPart::Thumb);
    if (thumb >= 0 &&
        (body_.positions[tip] - body_.positions[thumb]).norm() > 0.02f * body_.scale)
      add(nameOf(thumb), thumb, body_.positions[thumb], body_.positions[tip], 0.013f);
    else
      addRows(joint,
              along,
              across,
              {{"_thumb", joint, {0.025f, 0.030f}, {0.075f, 0.060f}, 0.013f}});
  }

  /** \brief Adds sole, instep and toes. */
  void
  makeFoot(int joint)
  {
    const Vector3f& ankle = body_.positions[joint];
    const int toe = body_.childOf(joint, BodyPart::Toe);
    const int tip = toe >= 0 ? toe : body_.tipOf(joint, BodyPart::Foot);
    const Vector3f& up = body_.up;
    Vector3f ahead = body_.positions[tip] - ankle;
    ahead -= ahead.dot(up) * up;
    float length = ahead.norm() / body_.scale;
    if (length < 0.05f) {
      ahead = body_.forward;
      length = 0.13f;
    }
    ahead.normalize();
    const int toes = toe >= 0 ? toe : joint;
    addRows(joint,
            up,
            ahead,
            {{"_sole", joint, {-0.034f, -0.040f}, {-0.038f, length - 0.01f}, 0.033f},
             {"_instep", joint, {-0.005f, -0.005f}, {-0.036f, length - 0.03f}, 0.036f},
             {"_toes", toes, {-0.044f, length}, {-0.046f, length + 0.035f}, 0.024f}});
  }

  Skeleton& skeleton_;
  const Body body_;
};

} // namespace

void
addBodyCapsules(Skeleton& skeleton)
{
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  checkArgument(skeleton.getCapsules().empty(),
                "number of capsules of the skeleton",
                skeleton.getCapsules().size(),
                "none yet");
  BodySkin(skeleton).make();
}

std::vector<std::string>
findUnknownJoints(const Skeleton& skeleton)
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  const Body body(skeleton);
  std::vector<bool> begins_bone(joints.size(), false);
  for (const SkeletonJoint& joint : joints)
    if (joint.parent >= 0 && joint.offset.norm() >= shortest_bone)
      begins_bone[joint.parent] = true;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (begins_bone[i] && (body.parts[i] == BodyPart::Unknown ||
                           (hasTwo(body.parts[i]) && body.sides[i] == 0)))
      names.push_back(joints[i].name);
  return names;
}

} // namespace pcl::gpu

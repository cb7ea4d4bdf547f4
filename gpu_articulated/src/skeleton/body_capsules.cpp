// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

/** \brief Bones shorter than this get no capsule, metres. */
constexpr float shortest_bone = 0.005f;

/** \brief A piece of a long bone: from and to where along it, and how thick, metres of a
 * person of 1.75 m. */
struct Piece {
  float from, to;
  float radius;
};

/** \brief A capsule across the trunk. Lengths are metres of a person of 1.75 m. */
struct TrunkRow {
  float height; ///< 0: at the hips, 1: at the shoulders
  float half_length;
  float radius;
  float forward; ///< before the line from hips to shoulders
};

constexpr TrunkRow trunk_rows[] = {{-0.04f, 0.058f, 0.118f, 0.008f},
                                   {0.14f, 0.048f, 0.115f, 0.022f},
                                   {0.32f, 0.043f, 0.112f, 0.034f},
                                   {0.50f, 0.047f, 0.113f, 0.033f},
                                   {0.68f, 0.058f, 0.115f, 0.022f},
                                   {0.84f, 0.085f, 0.103f, 0.010f},
                                   {0.98f, 0.100f, 0.070f, -0.001f}};

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

  /** \brief Adds a capsule by where its ends are when all angles are 0. */
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

  /** \brief A point by steps along the body's axes, in metres of a person of 1.75 m. */
  Vector3f
  moved(const Vector3f& from,
        const Vector3f& first,
        float along_first,
        const Vector3f& second,
        float along_second) const
  {
    return from + body_.scale * (along_first * first + along_second * second);
  }

  /** \brief Capsules across the trunk, each on the joint of the spine just below it. */
  void
  makeTrunk()
  {
    const auto& positions = body_.positions;
    const auto middle = [&](const int(&pair)[2]) -> Vector3f {
      return 0.5f * (positions[pair[0]] + positions[pair[1]]);
    };
    const Vector3f hips = middle(body_.hips);
    const Vector3f shoulders = middle(body_.shoulders);
    std::vector<int> spine;
    for (int i = body_.commonAncestor(body_.shoulders[0], body_.shoulders[1]); i >= 0;
         i = body_.parents[i])
      spine.insert(spine.begin(), i);
    const auto jointBelow = [&](const Vector3f& point) {
      int below = spine.front();
      for (const int joint : spine)
        if ((point - positions[joint]).dot(body_.up) >= 0.0f)
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
    switch (body_.parts[joint]) {
    case BodyPart::Thigh:
      return addPieces(
          joint,
          BodyPart::Calf,
          {{0.0f, 0.33f, 0.090f}, {0.33f, 0.67f, 0.079f}, {0.67f, 1.0f, 0.065f}});
    case BodyPart::Calf:
      return addPieces(
          joint, BodyPart::Foot, {{0.06f, 0.45f, 0.056f}, {0.45f, 1.0f, 0.040f}});
    case BodyPart::UpperArm:
      return addPieces(
          joint, BodyPart::Forearm, {{0.0f, 0.5f, 0.051f}, {0.5f, 1.0f, 0.045f}});
    case BodyPart::Forearm:
      return addPieces(
          joint, BodyPart::Hand, {{0.0f, 0.5f, 0.044f}, {0.5f, 1.0f, 0.033f}});
    case BodyPart::Clavicle:
      return addPieces(joint, BodyPart::UpperArm, {{0.2f, 1.0f, 0.055f}});
    case BodyPart::Neck:
      return addEachBone(joint, 0.057f);
    case BodyPart::Head:
      return makeHead(joint);
    case BodyPart::Hand:
      return makeHand(joint);
    case BodyPart::Foot:
      return makeFoot(joint);
    case BodyPart::Trunk:
      if (!body_.has_trunk)
        addEachBone(joint, 0.115f);
      return;
    case BodyPart::Unknown:
      return addEachBone(joint, 0.0f);
    default:
      return; // part of the hand, the foot or the trunk
    }
  }

  /** \brief The bone to the child of that part, in pieces; to any child if none is. */
  void
  addPieces(int joint, BodyPart next, const std::vector<Piece>& pieces)
  {
    const int child = body_.childOf(joint, next);
    if (child < 0)
      return addEachBone(joint, pieces.front().radius);
    const Vector3f& start = body_.positions[joint];
    const Vector3f bone = body_.positions[child] - start;
    if (bone.norm() < shortest_bone)
      return;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      add(pieces.size() == 1 ? nameOf(joint)
                             : nameOf(joint) + "_" + std::to_string(i + 1),
          joint,
          start + pieces[i].from * bone,
          start + pieces[i].to * bone,
          pieces[i].radius);
  }

  /** \brief A capsule to every child that is not of another part of the body.
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
    const Vector3f& base = body_.positions[joint];
    const Vector3f& up = body_.up;
    const Vector3f& forward = body_.forward;
    add(nameOf(joint) + "_skull",
        joint,
        moved(base, up, 0.078f, forward, -0.008f),
        moved(base, up, 0.080f, forward, 0.026f),
        0.089f);
    add(nameOf(joint) + "_jaw",
        joint,
        moved(base, up, 0.015f, forward, 0.030f),
        moved(base, up, -0.005f, forward, 0.070f),
        0.050f);
  }

  /** \brief Palm, fingers and thumb. The skeleton need not have bones for them. */
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
    // The thumb's side is before the palm, with arms at rest and stretched out.
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
    const std::string& name = nameOf(joint);
    const char* const sides[] = {"_1", "_2"};
    for (int i = 0; i < 2; ++i) {
      const float side = i == 0 ? 0.020f : -0.020f;
      add(name + "_palm" + sides[i],
          joint,
          moved(wrist, along, 0.015f, across, 0.7f * side),
          moved(wrist, along, palm - 0.005f, across, side),
          0.020f);
      add(name + "_fingers" + sides[i],
          finger,
          moved(wrist, along, palm + 0.005f, across, side),
          moved(wrist, along, i == 0 ? 0.168f : 0.155f, across, 0.8f * side),
          0.014f);
    }
    const int thumb = body_.childOf(joint, BodyPart::Thumb);
    const int tip = thumb < 0 ? -1 : body_.tipOf(thumb, BodyPart::Thumb);
    if (thumb >= 0 &&
        (body_.positions[tip] - body_.positions[thumb]).norm() > 0.02f * body_.scale)
      add(nameOf(thumb), thumb, body_.positions[thumb], body_.positions[tip], 0.013f);
    else
      add(name + "_thumb",
          joint,
          moved(wrist, along, 0.025f, across, 0.030f),
          moved(wrist, along, 0.075f, across, 0.060f),
          0.013f);
  }

  /** \brief Heel, instep and toes. */
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
    const std::string& name = nameOf(joint);
    add(name + "_sole",
        joint,
        moved(ankle, up, -0.034f, ahead, -0.040f),
        moved(ankle, up, -0.038f, ahead, length - 0.01f),
        0.033f);
    add(name + "_instep",
        joint,
        moved(ankle, up, -0.005f, ahead, -0.005f),
        moved(ankle, up, -0.036f, ahead, length - 0.03f),
        0.036f);
    add(name + "_toes",
        toe >= 0 ? toe : joint,
        moved(ankle, up, -0.044f, ahead, length),
        moved(ankle, up, -0.046f, ahead, length + 0.035f),
        0.024f);
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

} // namespace pcl::gpu

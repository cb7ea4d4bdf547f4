// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/common/angles.h>
#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <string>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

/** \brief Length of the hand with the lengths below, millimetres. */
constexpr float usual_length = 190.0f;

/** \brief A joint's range of motion, degrees, and its speed. */
struct MotionRange {
  float lower, upper;
  float deviation; ///< radians over one second
};

// Vectors are millimetres of a hand of the usual length, from the wrist: towards the
// thumb, along the fingers, and out of the palm.

/** \brief One of the four fingers: its joints lie on a line along the hand. */
struct FingerRow {
  const char* name;
  Vector3f base;    ///< of the metacarpal bone
  Vector3f knuckle; ///< the head of that bone
  float lengths[3]; ///< of the three phalanges, the last one with the tip
  float head_radius;
  float radii[4]; ///< at the knuckle, at the two next joints and at the tip
  float spreads;  ///< 1: towards the thumb, -1: away from it
  MotionRange spread;
};

const FingerRow finger_rows[] = {{"Index",
                                  {10.0f, 29.0f, 0.0f},
                                  {21.0f, 95.5f, 1.0f},
                                  {39.8f, 22.4f, 19.7f},
                                  13.5f,
                                  {11.5f, 10.5f, 8.7f, 7.2f},
                                  1.0f,
                                  {-20.0f, 30.0f, 0.6f}},
                                 {"Middle",
                                  {0.0f, 33.0f, -1.0f},
                                  {0.0f, 97.7f, 0.0f},
                                  {44.6f, 26.3f, 21.4f},
                                  13.5f,
                                  {11.5f, 10.6f, 8.8f, 7.3f},
                                  1.0f,
                                  {-20.0f, 20.0f, 0.6f}},
                                 {"Ring",
                                  {-8.0f, 31.0f, 0.0f},
                                  {-20.0f, 88.0f, 1.5f},
                                  {41.4f, 25.7f, 21.2f},
                                  13.0f,
                                  {11.0f, 9.9f, 8.2f, 6.9f},
                                  -1.0f,
                                  {-20.0f, 25.0f, 0.6f}},
                                 {"Pinky",
                                  {-17.5f, 28.5f, 1.0f},
                                  {-38.0f, 78.0f, 4.5f},
                                  {32.7f, 18.1f, 19.7f},
                                  12.5f,
                                  {10.0f, 8.7f, 7.3f, 6.3f},
                                  -1.0f,
                                  {-20.0f, 40.0f, 0.6f}}};

constexpr MotionRange knuckle_bend = {-30.0f, 100.0f, 1.8f};
constexpr MotionRange middle_bend = {-10.0f, 115.0f, 2.2f};
constexpr MotionRange last_bend = {-15.0f, 90.0f, 1.4f};

/** \brief The thumb. Its joints lie on a line, too. */
struct Thumb {
  Vector3f base = {20.0f, 22.0f, 7.0f}; ///< the joint between carpus and thumb
  Vector3f along = Vector3f(0.60f, 0.72f, 0.35f).normalized();
  float lengths[3] = {46.2f, 31.6f, 27.4f};
  float radii[4] = {13.5f, 12.0f, 10.9f, 8.5f};
  MotionRange swing = {-40.0f, 75.0f, 1.4f};
  MotionRange bends[3] = {
      {-30.0f, 50.0f, 1.4f}, {-15.0f, 70.0f, 1.4f}, {-30.0f, 90.0f, 1.8f}};

  /** \brief Returns the axis of its bends. It bends across the palm and towards it. */
  Vector3f
  bendAxis() const
  {
    const Vector3f outward = Vector3f(along.x(), 0.0f, along.z()).normalized();
    const Vector3f across(-outward.z(), 0.0f, outward.x());
    return along.cross(0.85f * across - 0.5f * outward).normalized();
  }
};

/** \brief The forearm, which hangs on the wrist. */
constexpr float arm_length = 250.0f;
constexpr float arm_radii[] = {19.5f, 33.0f}; ///< at the wrist and at the elbow
constexpr MotionRange wrist_bend = {-80.0f, 85.0f, 1.2f};
constexpr MotionRange wrist_tilt = {-45.0f, 35.0f, 0.9f};

/** \brief A capsule of palm and wrist, which moves with the root. */
struct PalmRow {
  const char* name;
  Vector3f a, b;
  float radius_a, radius_b;
};

const PalmRow palm_rows[] = {
    {"Hand_carpus_1", {11.0f, 0.0f, -1.0f}, {9.0f, 30.0f, 0.0f}, 19.0f, 14.0f},
    {"Hand_carpus_2", {-11.0f, 0.0f, -1.0f}, {-13.0f, 28.0f, 1.0f}, 19.0f, 14.0f},
    {"Hand_heel", {-17.0f, 20.0f, 4.5f}, {-33.0f, 64.0f, 7.0f}, 16.0f, 12.5f},
    {"Hand_palm_1", {6.0f, 30.0f, 2.0f}, {10.5f, 88.0f, 2.5f}, 14.0f, 12.5f},
    {"Hand_palm_2", {-3.0f, 30.0f, 2.0f}, {-10.0f, 86.0f, 2.5f}, 14.0f, 12.5f},
    {"Hand_palm_3", {-12.0f, 30.0f, 2.5f}, {-29.0f, 76.0f, 4.0f}, 14.0f, 12.5f},
    {"Hand_web", {15.0f, 40.0f, 4.0f}, {25.0f, 73.0f, 3.5f}, 14.5f, 9.5f}};

class HandMaker {
public:
  HandMaker(float length, HandSide side)
  : unit_(length / usual_length)
  , is_left_(side == HandSide::Left)
  , side_(is_left_ ? "Left" : "Right")
  {}

  Skeleton
  make()
  {
    addJoint("Hand", -1, Vector3f::Zero(), {});
    for (const PalmRow& row : palm_rows)
      addCapsule(row.name, 0, row.a, row.b, row.radius_a, row.radius_b);
    for (const FingerRow& row : finger_rows)
      addCapsule("Hand_" + (row.name + std::string("0")),
                 0,
                 row.base,
                 row.knuckle,
                 row.head_radius - 1.0f,
                 row.head_radius);
    // Skin between the knuckles, and the flesh below them.
    for (int i = 0; i < 3; ++i)
      addCapsule("Hand_ball_" + std::to_string(i + 1),
                 0,
                 finger_rows[i].knuckle + Vector3f(0.0f, -2.0f, 2.5f),
                 finger_rows[i + 1].knuckle + Vector3f(0.0f, -2.0f, 2.5f),
                 12.0f,
                 12.0f);
    addThumb();
    for (const FingerRow& row : finger_rows)
      addFinger(row);
    addForeArm();
    return skeleton_;
  }

private:
  /** \brief Returns a direction or a place in the frame of the hand. */
  Vector3f
  placed(const Vector3f& vector) const
  {
    return {is_left_ ? -vector.x() : vector.x(), vector.y(), vector.z()};
  }

  /** \brief Returns the axis of a turn. A mirror turns it the other way. */
  Vector3f
  turned(const Vector3f& axis) const
  {
    return is_left_ ? placed(-axis) : axis;
  }

  JointAngle
  angle(const Vector3f& axis, const MotionRange& range) const
  {
    return {turned(axis), deg2rad(range.lower), deg2rad(range.upper), range.deviation};
  }

  int
  addJoint(const std::string& name,
           int parent,
           const Vector3f& offset,
           const std::vector<JointAngle>& angles)
  {
    SkeletonJoint joint;
    joint.name = side_ + name;
    joint.parent = parent;
    joint.offset = unit_ * placed(offset);
    joint.angles = angles;
    return skeleton_.addJoint(joint);
  }

  void
  addCapsule(const std::string& name,
             int joint,
             const Vector3f& a,
             const Vector3f& b,
             float radius_a,
             float radius_b)
  {
    skeleton_.addCapsule({side_ + name,
                          joint,
                          unit_ * placed(a),
                          unit_ * placed(b),
                          unit_ * radius_a,
                          unit_ * radius_b});
  }

  void
  addFinger(const FingerRow& row)
  {
    const Vector3f along = Vector3f::UnitY();
    const Vector3f palmward = Vector3f::UnitZ();
    // From the fingers to the palm: the same turn in both hands.
    const Vector3f bend = along.cross(palmward);
    const MotionRange bends[] = {knuckle_bend, middle_bend, last_bend};
    const std::string name = std::string("Hand") + row.name;
    int joint = 0;
    Vector3f offset = row.knuckle;
    for (int i = 0; i < 3; ++i) {
      std::vector<JointAngle> angles = {angle(bend, bends[i])};
      if (i == 0)
        angles.push_back(angle(-row.spreads * palmward, row.spread));
      const std::string number = std::to_string(i + 1);
      joint = addJoint(name + number, joint, offset, angles);
      offset = row.lengths[i] * along;
      const bool is_last = i == 2;
      const float end = row.lengths[i] - (is_last ? row.radii[3] : 0.0f);
      addCapsule(name + number,
                 joint,
                 Vector3f::Zero(),
                 end * along,
                 row.radii[i],
                 row.radii[i + 1]);
      // The bone is nearer to the back of the finger than to its pulp.
      const float radius = 0.5f * (row.radii[i] + row.radii[i + 1]);
      addCapsule(name + number + "_pulp",
                 joint,
                 0.3f * end * along + 1.5f * palmward,
                 (is_last ? 0.9f : 0.7f) * end * along + 1.5f * palmward,
                 radius,
                 is_last ? row.radii[3] : radius);
    }
    addJoint(name + "3_end", joint, offset, {});
  }

  void
  addForeArm()
  {
    const int joint = addJoint(
        "ForeArm",
        0,
        Vector3f::Zero(),
        {angle(-Vector3f::UnitX(), wrist_bend), angle(Vector3f::UnitZ(), wrist_tilt)});
    for (const float side : {1.0f, -1.0f})
      addCapsule(side > 0.0f ? "ForeArm_1" : "ForeArm_2",
                 joint,
                 Vector3f(side * 11.0f, 0.0f, -1.0f),
                 Vector3f(side * 12.0f, -arm_length, -1.0f),
                 arm_radii[0],
                 arm_radii[1]);
  }

  void
  addThumb()
  {
    const Thumb thumb;
    const Vector3f bend = thumb.bendAxis();
    int joint = 0;
    Vector3f offset = thumb.base;
    for (int i = 0; i < 3; ++i) {
      std::vector<JointAngle> angles = {angle(bend, thumb.bends[i])};
      if (i == 0)
        angles.insert(angles.begin(), angle(-Vector3f::UnitY(), thumb.swing));
      const std::string name = "HandThumb" + std::to_string(i + 1);
      joint = addJoint(name, joint, offset, angles);
      offset = thumb.lengths[i] * thumb.along;
      const bool is_last = i == 2;
      const float end = thumb.lengths[i] - (is_last ? thumb.radii[3] : 0.0f);
      addCapsule(name,
                 joint,
                 Vector3f::Zero(),
                 end * thumb.along,
                 thumb.radii[i],
                 thumb.radii[i + 1]);
      const Vector3f inward = bend.cross(thumb.along);
      if (i == 0) // the ball of the thumb
        addCapsule(name + "_ball",
                   joint,
                   0.1f * end * thumb.along + 6.0f * inward,
                   0.75f * end * thumb.along + 5.0f * inward,
                   14.0f,
                   12.0f);
      else
        addCapsule(name + "_pulp",
                   joint,
                   0.3f * end * thumb.along + 1.5f * inward,
                   0.8f * end * thumb.along + 1.5f * inward,
                   thumb.radii[i] - 0.5f,
                   thumb.radii[i + 1]);
    }
    addJoint("HandThumb3_end", joint, offset, {});
  }

  const float unit_; ///< metres in a millimetre of the rows
  const bool is_left_;
  const std::string side_;
  Skeleton skeleton_;
};

} // namespace

Skeleton
makeHandSkeleton(float length, HandSide side)
{
  checkPositive("length", length);
  checkEnumerator("side", side, HandSide::Right);
  return HandMaker(length, side).make();
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/hand_skeleton.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;

namespace {

const char* const long_fingers[] = {"Index", "Middle", "Ring", "Pinky"};

/** \brief A hand in a pose, and the places of its joints. */
class PosedHand {
public:
  explicit PosedHand(HandSide side = HandSide::Right, float length = 0.19f)
  : skeleton(makeHandSkeleton(length, side))
  , pose(skeleton.restPose())
  {}

  int
  joint(const std::string& name) const
  {
    const int number = skeleton.findJoint(skeleton.getJoints()[0].name + name);
    EXPECT_GE(number, 0) << name;
    return number;
  }

  /** \brief Sets an angle of a joint, degrees. Expects that its limits allow it. */
  void
  turn(const std::string& name, int angle, float degrees)
  {
    const int number = joint(name);
    const JointAngle& limits = skeleton.getJoints()[number].angles.at(angle);
    EXPECT_GE(degrees * radians, limits.lower) << name << ", angle " << angle;
    EXPECT_LE(degrees * radians, limits.upper) << name << ", angle " << angle;
    pose[skeleton.angleIndex(number) + angle] = degrees * radians;
  }

  /** \brief Bends the joints of a finger or of the thumb, degrees. */
  void
  bend(const std::string& finger, float first, float second, float third)
  {
    turn(finger + "1", finger == "Thumb" ? 1 : 0, first);
    turn(finger + "2", 0, second);
    turn(finger + "3", 0, third);
  }

  Vector3d
  place(const std::string& name) const
  {
    return referenceTransforms(skeleton, pose.data())[joint(name)].translation();
  }

  double
  distance(const std::string& a, const std::string& b) const
  {
    return (place(a) - place(b)).norm();
  }

  Skeleton skeleton;
  std::vector<float> pose;
};

/** \brief Returns how deep a capsule reaches into another one, at points along both. */
double
overlap(const SkeletonCapsule& a,
        const Eigen::Isometry3d& at_a,
        const SkeletonCapsule& b,
        const Eigen::Isometry3d& at_b)
{
  const auto point = [](const SkeletonCapsule& capsule, double share) -> Vector3d {
    return ((1.0 - share) * capsule.a + share * capsule.b).cast<double>();
  };
  constexpr int steps = 20;
  double most = -1.0;
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const double s = static_cast<double>(i) / steps;
      const double t = static_cast<double>(k) / steps;
      const double radii = (1.0 - s) * a.radius_a + s * a.radius_b +
                           (1.0 - t) * b.radius_a + t * b.radius_b;
      most = std::max(most, radii - (at_a * point(a, s) - at_b * point(b, t)).norm());
    }
  return most;
}

} // namespace

TEST(HandSkeleton, HasTwentySixDegreesOfFreedom)
{
  for (const HandSide side : {HandSide::Left, HandSide::Right}) {
    const Skeleton hand = makeHandSkeleton(0.19f, side);
    EXPECT_EQ(hand.getJoints().size(), 22u);
    const SkeletonJoint& arm = hand.getJoints().back();
    EXPECT_EQ(arm.name, side == HandSide::Left ? "LeftForeArm" : "RightForeArm");
    EXPECT_EQ(arm.angles.size(), 2u);
    EXPECT_EQ(hand.poseSize() - Skeleton::root_size - 2 + 6, 26);
    EXPECT_EQ(hand.getCapsules().size(), 46u);
    for (int i = 0; i < 21; ++i)
      EXPECT_EQ(hand.getJoints()[i].name.rfind(
                    side == HandSide::Left ? "LeftHand" : "RightHand", 0),
                0u);
  }
}

TEST(HandSkeleton, HasTheSizeOfAHand)
{
  for (const float length : {0.19f, 0.165f, 0.21f}) {
    const PosedHand hand(HandSide::Right, length);
    const double scale = length / 0.19;
    EXPECT_NEAR(hand.place("Middle3_end").norm(), length, 1e-3 * scale);
    // Buryanov and Kotiuk 2010.
    EXPECT_NEAR(hand.distance("Index1", "Index2"), 0.03978 * scale, 1e-4);
    EXPECT_NEAR(hand.distance("Middle2", "Middle3"), 0.02633 * scale, 1e-4);
    EXPECT_NEAR(hand.distance("Pinky1", "Pinky2"), 0.03274 * scale, 1e-4);
    EXPECT_NEAR(hand.distance("Thumb1", "Thumb2"), 0.04622 * scale, 1e-4);
    // Greiner 1991: breadth of the hand at the knuckles, and of the wrist.
    double least = 1.0, most = -1.0, wrist = 0.0;
    for (const SkeletonCapsule& capsule : hand.skeleton.getCapsules()) {
      if (capsule.joint == 0) {
        least = std::min<double>(least, capsule.b.x() - capsule.radius_b);
        most = std::max<double>(most, capsule.b.x() + capsule.radius_b);
      }
      if (capsule.name.find("ForeArm") != std::string::npos)
        wrist =
            std::max<double>(wrist, 2.0 * (std::abs(capsule.a.x()) + capsule.radius_a));
    }
    EXPECT_NEAR(most - least, 0.086 * scale, 0.003 * scale);
    EXPECT_NEAR(wrist, 0.062 * scale, 0.003 * scale);
  }
}

TEST(HandSkeleton, PointsFingersUpAndThePalmForward)
{
  const PosedHand right(HandSide::Right), left(HandSide::Left);
  for (const PosedHand& hand : {right, left})
    for (const char* const finger : long_fingers) {
      const std::string name = finger;
      const Vector3d along = hand.place(name + "3_end") - hand.place(name + "1");
      EXPECT_NEAR(along.normalized().y(), 1.0, 1e-4) << finger;
    }
  EXPECT_GT(right.place("Thumb3_end").x(), 0.05);
  EXPECT_LT(left.place("Thumb3_end").x(), -0.05);
  PosedHand bent;
  bent.bend("Index", 40.0f, 40.0f, 20.0f);
  EXPECT_GT(bent.place("Index3_end").z(), 0.04);
}

TEST(HandSkeleton, OfTheLeftIsTheMirrorImage)
{
  PosedHand left(HandSide::Left), right(HandSide::Right);
  ASSERT_EQ(left.skeleton.getJoints().size(), right.skeleton.getJoints().size());
  std::mt19937 random(1);
  for (std::size_t i = Skeleton::root_size; i < left.pose.size(); ++i)
    left.pose[i] = right.pose[i] = 0.001f * (random() % 1000);
  const auto at_left = referenceTransforms(left.skeleton, left.pose.data());
  const auto at_right = referenceTransforms(right.skeleton, right.pose.data());
  const auto mirrored = [](Vector3d v) {
    v.x() = -v.x();
    return v;
  };
  for (std::size_t i = 0; i < at_left.size(); ++i) {
    EXPECT_LT((at_left[i].translation() - mirrored(at_right[i].translation())).norm(),
              1e-6)
        << left.skeleton.getJoints()[i].name;
    const auto& angles = left.skeleton.getJoints()[i].angles;
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const JointAngle& other = right.skeleton.getJoints()[i].angles[k];
      EXPECT_EQ(angles[k].lower, other.lower);
      EXPECT_EQ(angles[k].upper, other.upper);
      EXPECT_EQ(angles[k].deviation, other.deviation);
    }
  }
  for (std::size_t i = 0; i < left.skeleton.getCapsules().size(); ++i) {
    const SkeletonCapsule& capsule = left.skeleton.getCapsules()[i];
    const SkeletonCapsule& other = right.skeleton.getCapsules()[i];
    EXPECT_EQ(capsule.radius_a, other.radius_a);
    EXPECT_LT((at_left[capsule.joint] * capsule.a.cast<double>() -
               mirrored(at_right[other.joint] * other.a.cast<double>()))
                  .norm(),
              1e-6)
        << capsule.name;
  }
}

TEST(HandSkeleton, SpreadsItsFingers)
{
  PosedHand hand;
  const double before = hand.distance("Index3_end", "Pinky3_end");
  for (const char* const finger : {"Index", "Ring", "Pinky"})
    hand.turn(std::string(finger) + "1", 1, 20.0f);
  EXPECT_GT(hand.distance("Index3_end", "Pinky3_end"), before + 0.04);
  EXPECT_GT(hand.distance("Index3_end", "Middle3_end"), 0.045);
}

TEST(HandSkeleton, BendsItsWrist)
{
  PosedHand hand;
  const int arm = hand.skeleton.findJoint("RightForeArm");
  const int first = hand.skeleton.angleIndex(arm);
  const SkeletonCapsule& capsule = hand.skeleton.getCapsules().back();
  ASSERT_EQ(capsule.joint, arm);
  const auto elbow = [&]() -> Vector3d {
    return referenceTransforms(hand.skeleton, hand.pose.data())[arm] *
           capsule.b.cast<double>();
  };
  EXPECT_LT(elbow().y(), -0.2);
  hand.pose[first] = 60.0f * radians;
  EXPECT_GT(elbow().z(), 0.15); // towards the palm
  hand.pose[first] = 0.0f;
  hand.pose[first + 1] = 20.0f * radians;
  EXPECT_GT(elbow().x(), 0.05); // the hand is tilted away from its thumb
}

TEST(HandSkeleton, MakesAFist)
{
  PosedHand hand;
  for (const char* const finger : long_fingers)
    hand.bend(finger, 85.0f, 100.0f, 65.0f);
  for (const char* const finger : long_fingers) {
    const std::string name = finger;
    const Vector3d tip = hand.place(name + "3_end");
    // It comes back to the palm.
    EXPECT_LT(tip.y(), hand.place(name + "1").y()) << finger;
    EXPECT_LT(tip.z(), 0.04) << finger;
    EXPECT_GT(tip.z(), 0.005) << finger;
  }
  // The thumb lies before the fingers.
  hand.turn("Thumb1", 0, 12.0f);
  hand.bend("Thumb", 8.0f, 50.0f, 40.0f);
  EXPECT_GT(hand.place("Thumb3_end").z(), hand.place("Middle3").z());
  EXPECT_LT(hand.place("Thumb3_end").x(), hand.place("Index3").x());
}

TEST(HandSkeleton, TouchesTheIndexFingerWithTheThumb)
{
  PosedHand hand; // the sign OK
  hand.bend("Index", 54.0f, 46.0f, 28.0f);
  hand.turn("Thumb1", 0, 5.0f);
  hand.bend("Thumb", 17.0f, 21.0f, 29.0f);
  EXPECT_LT(hand.distance("Index3_end", "Thumb3_end"), 0.012);
}

TEST(HandSkeleton, FingersLieSideBySide)
{
  const PosedHand hand;
  const auto at = referenceTransforms(hand.skeleton, hand.pose.data());
  const auto fingerOf = [&](const SkeletonCapsule& capsule) {
    const std::string& name = hand.skeleton.getJoints()[capsule.joint].name;
    for (int i = 0; i < 4; ++i)
      if (name.find(long_fingers[i]) != std::string::npos)
        return i;
    return name.find("Thumb") != std::string::npos ? 4 : -1; // palm and forearm
  };
  const auto& capsules = hand.skeleton.getCapsules();
  for (const SkeletonCapsule& a : capsules)
    for (const SkeletonCapsule& b : capsules)
      if (fingerOf(a) >= 0 && fingerOf(b) > fingerOf(a)) {
        EXPECT_LT(overlap(a, at[a.joint], b, at[b.joint]), 0.003)
            << a.name << " and " << b.name;
      }
}

TEST(HandSkeleton, RefusesWhatIsNoSize)
{
  expectBadArgument("length", [] { makeHandSkeleton(0.0f); });
  expectBadArgument("length", [] { makeHandSkeleton(NAN); });
  expectBadArgument("side", [] { makeHandSkeleton(0.19f, static_cast<HandSide>(2)); });
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"

#include <pcl/gpu/articulated/skeleton.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace pcl::gpu;
using Eigen::Vector3f;
using pcl::gpu::test::expectBadArgument;

using pcl::gpu::test::infinity;

namespace {

SkeletonJoint
joint(const std::string& name, int parent, int angles = 0)
{
  SkeletonJoint result;
  result.name = name;
  result.parent = parent;
  result.angles.resize(angles);
  return result;
}

/** \brief A root, a joint with two angles, its child with one, and a capsule each. */
Skeleton
arm()
{
  Skeleton skeleton;
  skeleton.addJoint(joint("root", -1));
  skeleton.addJoint(joint("shoulder", 0, 2));
  skeleton.addJoint(joint("elbow", 1, 1));
  SkeletonCapsule capsule;
  for (capsule.joint = 0; capsule.joint < 3; ++capsule.joint)
    skeleton.addCapsule(capsule);
  return skeleton;
}

void
expectRefused(const std::string& word, const SkeletonJoint& refused)
{
  Skeleton skeleton = arm();
  expectBadArgument(word, [&] { skeleton.addJoint(refused); });
  EXPECT_EQ(skeleton.getJoints().size(), 3u);
  EXPECT_EQ(skeleton.poseSize(), 10);
}

} // namespace

TEST(SkeletonOfJoints, PosesHaveRootAndAngles)
{
  EXPECT_EQ(Skeleton().poseSize(), 7);
  const Skeleton skeleton = arm();
  EXPECT_EQ(skeleton.poseSize(), 10);
  EXPECT_EQ(skeleton.angleIndex(0), 7);
  EXPECT_EQ(skeleton.angleIndex(1), 7);
  EXPECT_EQ(skeleton.angleIndex(2), 9);
  expectBadArgument("is 3", [&] { skeleton.angleIndex(3); });
  expectBadArgument("is -1", [&] { skeleton.angleIndex(-1); });
}

TEST(SkeletonOfJoints, AreFoundByName)
{
  Skeleton skeleton = arm();
  EXPECT_EQ(skeleton.findJoint("elbow"), 2);
  EXPECT_EQ(skeleton.findJoint("knee"), -1);
  skeleton.setJoint(2, joint("knee", 1, 1));
  EXPECT_EQ(skeleton.findJoint("elbow"), -1);
  EXPECT_EQ(skeleton.findJoint("knee"), 2);
  expectBadArgument("shoulder", [&] { skeleton.setJoint(2, joint("shoulder", 1, 1)); });
  EXPECT_EQ(skeleton.findJoint("knee"), 2);
}

TEST(SkeletonOfJoints, RestIsWithinLimits)
{
  Skeleton skeleton = arm();
  SkeletonJoint shoulder = skeleton.getJoints()[1];
  shoulder.angles[0].lower = 0.5f;
  shoulder.angles[1].upper = -0.25f;
  skeleton.setJoint(1, shoulder);
  const std::vector<float> expected{0, 0, 0, 1, 0, 0, 0, 0.5f, -0.25f, 0};
  EXPECT_EQ(skeleton.restPose(), expected);
}

TEST(SkeletonOfJoints, AxesGetLengthOne)
{
  for (const float length : {1e-30f, 0.1f, 7.0f, 1e30f}) {
    Skeleton skeleton = arm();
    SkeletonJoint added = joint("hand", 2, 1);
    added.angles[0].axis = length * Vector3f(3, 0, -4);
    skeleton.addJoint(added);
    const Vector3f axis = skeleton.getJoints()[3].angles[0].axis;
    EXPECT_LT((axis - Vector3f(0.6f, 0.0f, -0.8f)).norm(), 1e-6f);
  }
}

TEST(SkeletonOfJoints, RefusesJointsThatCannotBe)
{
  SkeletonJoint bad = joint("", 0);
  expectRefused("name of a joint is empty", bad);
  expectRefused("elbow", joint("elbow", 0));
  expectRefused("parent of joint hand is -1", joint("hand", -1));
  expectRefused("parent of joint hand is 3", joint("hand", 3));
  expectRefused("number of angles of joint hand is 4", joint("hand", 2, 4));
  bad = joint("hand", 2);
  bad.offset.y() = NAN;
  expectRefused("offset of joint hand", bad);
  for (const Vector3f& axis : {Vector3f(0, 0, 0), Vector3f(0, NAN, 1)}) {
    bad = joint("hand", 2, 3);
    bad.angles[2].axis = axis;
    expectRefused("axis of joint hand", bad);
  }
  const auto limits = [](float lower, float upper) {
    SkeletonJoint result = joint("hand", 2, 1);
    result.angles[0].lower = lower;
    result.angles[0].upper = upper;
    return result;
  };
  expectRefused("lower limit of joint hand is 1", limits(1.0f, 0.5f));
  expectRefused("lower limit of joint hand is nan", limits(NAN, 0.5f));
  expectRefused("upper limit of joint hand is nan", limits(0.0f, NAN));
  expectRefused("lower limit of joint hand is inf", limits(infinity, infinity));
  expectRefused("upper limit of joint hand is -inf", limits(-infinity, -infinity));
  for (const float deviation : {-1.0f, NAN, infinity}) {
    bad = joint("hand", 2, 1);
    bad.angles[0].deviation = deviation;
    expectRefused("deviation of joint hand", bad);
  }
}

TEST(SkeletonOfJoints, RefusesRootsWithMoreThanAName)
{
  Skeleton skeleton;
  expectBadArgument("parent", [&] { skeleton.addJoint(joint("root", 0)); });
  expectBadArgument("angles", [&] { skeleton.addJoint(joint("root", -1, 1)); });
  SkeletonJoint moved = joint("root", -1);
  moved.offset.x() = 1.0f;
  expectBadArgument("offset", [&] { skeleton.addJoint(moved); });
  EXPECT_TRUE(skeleton.getJoints().empty());
}

TEST(SkeletonOfJoints, ReplacementsKeepTheTree)
{
  Skeleton skeleton = arm();
  expectBadArgument("parent", [&] { skeleton.setJoint(2, joint("elbow", 0, 1)); });
  expectBadArgument("angles", [&] { skeleton.setJoint(2, joint("elbow", 1, 2)); });
  expectBadArgument("is 3", [&] { skeleton.setJoint(3, joint("hand", 2)); });
  expectBadArgument("is -1", [&] { skeleton.setJoint(-1, joint("hand", 2)); });
}

TEST(SkeletonOfJoints, RefusesCapsulesThatCannotBe)
{
  Skeleton skeleton = arm();
  const auto expect = [&](const std::string& word, auto change) {
    SkeletonCapsule bad;
    bad.name = "palm";
    change(bad);
    expectBadArgument(word, [&] { skeleton.addCapsule(bad); });
    expectBadArgument(word, [&] { skeleton.setCapsule(0, bad); });
  };
  expect("joint of capsule palm is 3", [](auto& bad) { bad.joint = 3; });
  expect("joint of capsule palm is -1", [](auto& bad) { bad.joint = -1; });
  expect("end a of capsule palm", [](auto& bad) { bad.a.x() = infinity; });
  expect("end b of capsule palm", [](auto& bad) { bad.b.z() = NAN; });
  expect("radius at a of capsule palm is 0", [](auto& bad) { bad.radius_a = 0.0f; });
  expect("radius at b of capsule palm is nan", [](auto& bad) { bad.radius_b = NAN; });
  expectBadArgument("is 3", [&] { skeleton.setCapsule(3, {}); });
  EXPECT_EQ(skeleton.getCapsules().size(), 3u);
}

TEST(SkeletonOfJoints, TellsPlainFromTaperedCapsules)
{
  Skeleton skeleton = arm();
  EXPECT_TRUE(skeleton.hasPlainCapsules());
  SkeletonCapsule tapered = skeleton.getCapsules()[1];
  tapered.radius_b = 0.06f;
  skeleton.setCapsule(1, tapered);
  EXPECT_FALSE(skeleton.hasPlainCapsules());
}

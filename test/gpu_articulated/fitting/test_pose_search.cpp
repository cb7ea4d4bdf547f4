// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_articulated/fitting/seen_person.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/pose_search.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

class PoseSearches : public DeviceTest {};

} // namespace

TEST_P(PoseSearches, RefuseWhatCannotBe)
{
  const Skeleton human = makeHumanSkeleton();
  const std::vector<float> pose = human.restPose();
  const auto points = uploaded(std::vector<pcl::PointXYZ>(10));
  const Vector3f viewpoint(0, 0, 3);
  const auto expectBad = [&](const std::string& word, auto change) {
    PoseSearchOptions options;
    change(options);
    expectBadArgument(word,
                      [&] { searchPose(human, pose, points, viewpoint, options); });
  };
  expectBad("particles", [](auto& options) { options.particles = 0; });
  expectBad("directions", [](auto& options) { options.directions = 0; });
  expectBad("root", [](auto& options) { options.root_deviation = -0.1f; });
  expectBad("turn", [](auto& options) { options.turn_deviation = NAN; });
  expectBad("sigma", [](auto& options) { options.sigma = 0.0f; });
  expectBad("truncation", [](auto& options) { options.truncation_distance = NAN; });
  expectBadArgument("capsules", [&] { searchPose({}, pose, points, viewpoint); });
  expectBadArgument("pose", [&] { searchPose(human, {}, points, viewpoint); });
  std::vector<float> bad = pose;
  bad[9] = NAN;
  expectBadArgument("pose is nan", [&] { searchPose(human, bad, points, viewpoint); });
  expectBadArgument("points", [&] { searchPose(human, pose, {}, viewpoint); });
  expectBadArgument("viewpoint", [&] { searchPose(human, pose, points, {0, NAN, 0}); });
}

TEST_P(PoseSearches, FindABodyNearACoarsePose)
{
  const Skeleton human = makeHumanSkeleton();
  const Vector3f up(0, -1, 0), hips(0.2f, 0.1f, 2.4f);
  const SeenPerson seen = seenPerson(human, up, hips);
  PoseSearchOptions options;
  options.particles = 300;
  std::vector<float> start = standingPoseAt(human, up, hips + Vector3f(0.1f, 0, 0.1f));
  turn(start, seen_turn - 0.4f);
  const PoseSearchResult found =
      searchPose(human, start, uploaded(seen.points), Vector3f::Zero(), options);
  EXPECT_LT(greatestError(human, all_joints, found.pose, seen.pose), 0.1f);
}

TEST_P(PoseSearches, EndWhenTheirCallerThrows)
{
  struct Interruption {};
  const Skeleton human = makeHumanSkeleton();
  const Vector3f up(0, -1, 0), hips(0.2f, 0.1f, 2.4f);
  const SeenPerson seen = seenPerson(human, up, hips);
  const auto points = uploaded(seen.points);
  const std::vector<float> start = standingPoseAt(human, up, hips);
  int calls = 0, most = 1000000;
  PoseSearchOptions options;
  options.particles = 10;
  options.directions = 1;
  const auto search = [&] {
    return searchPose(human, start, points, Vector3f::Zero(), options).pose;
  };
  const std::vector<float> found = search();
  options.check_interruption = [&] {
    if (++calls == most)
      throw Interruption();
  };
  EXPECT_EQ(search(), found);
  EXPECT_GT(calls, 20);
  for (const int other : {1, calls}) {
    calls = 0;
    most = other;
    EXPECT_THROW(search(), Interruption);
    EXPECT_EQ(calls, other);
  }
}

TEST(BodiesWithoutLegs, KeepAllElse)
{
  const Skeleton whole = makeHumanSkeleton();
  const Skeleton upper = withoutLegs(whole);
  for (const char* leg : {"LeftUpLeg", "RightLeg", "LeftFoot", "RightToeBase_end"})
    EXPECT_EQ(upper.findJoint(leg), -1) << leg;
  for (const SkeletonJoint& joint : upper.getJoints()) {
    const int number = whole.findJoint(joint.name);
    ASSERT_GE(number, 0) << joint.name;
    EXPECT_EQ(joint.offset, whole.getJoints()[number].offset) << joint.name;
    EXPECT_EQ(joint.angles.size(), whole.getJoints()[number].angles.size());
  }
  EXPECT_GE(upper.findJoint("LeftHandThumb_end"), 0);
  EXPECT_GE(upper.findJoint("Head_end"), 0);
  for (const SkeletonCapsule& capsule : upper.getCapsules())
    EXPECT_EQ(capsule.name.find("Leg"), std::string::npos) << capsule.name;
  EXPECT_GT(upper.getCapsules().size(), 20u);
  expectBadArgument("joints", [] { withoutLegs({}); });
  expectBadArgument("legs", [&] { withoutLegs(upper); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PoseSearches);

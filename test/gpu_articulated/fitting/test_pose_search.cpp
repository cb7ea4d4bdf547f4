// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"
#include "testing/people_room.h"

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

/** \brief Returns the pose of a standing person with the arms down. */
std::vector<float>
standingPoseAt(const Skeleton& human, const Vector3f& up, const Vector3f& hips)
{
  std::vector<float> pose = human.restPose();
  for (const char* const arm : {"LeftArm", "RightArm"})
    pose[human.angleIndex(human.findJoint(arm))] = -1.3f;
  Vector3f::Map(pose.data()) = hips;
  const auto upright = Eigen::Quaternionf::FromTwoVectors(Vector3f::UnitY(), up);
  pose[3] = upright.w();
  Vector3f::Map(pose.data() + 4) = upright.vec();
  return pose;
}

/** \brief A person seen by a camera. */
struct SeenPerson {
  std::vector<float> pose;
  std::vector<pcl::PointXYZ> points;
};

/** \brief Renders a person with a raised arm and a bent knee, turned to the side.
 * \param[in] human the person
 * \param[in] up direction in the camera's frame
 * \param[in] hips place in the camera's frame, metres
 */
SeenPerson
seenPerson(const Skeleton& human, const Vector3f& up, const Vector3f& hips)
{
  SeenPerson seen{standingPoseAt(human, up, hips), {}};
  const auto turn = [&](const char* joint, int angle, float by) {
    seen.pose[human.angleIndex(human.findJoint(joint)) + angle] += by;
  };
  turn("LeftArm", 0, 1.6f);
  turn("RightUpLeg", 0, 0.6f);
  turn("RightLeg", 0, 0.8f);
  const Eigen::Quaternionf turned =
      Eigen::Quaternionf(seen.pose[3], seen.pose[4], seen.pose[5], seen.pose[6]) *
      Eigen::AngleAxisf(2.2f, Vector3f::UnitY());
  seen.pose[3] = turned.w();
  Vector3f::Map(seen.pose.data() + 4) = turned.vec();
  const PinholeCamera camera{131.0f, 131.0f, 79.5f, 59.5f, 160, 120};
  const std::vector<float> depths =
      renderBody(std::make_shared<Skeleton>(human), seen.pose, camera);
  for (std::size_t i = 0; i < depths.size(); ++i)
    if (std::isfinite(depths[i])) {
      const auto column = static_cast<float>(i % camera.width);
      const auto row = static_cast<float>(i / camera.width);
      seen.points.emplace_back((column - camera.cx) / camera.fx * depths[i],
                               (row - camera.cy) / camera.fy * depths[i],
                               depths[i]);
    }
  return seen;
}

const std::vector<const char*> all_joints = {"Head",
                                             "LeftArm",
                                             "RightArm",
                                             "LeftForeArm",
                                             "LeftHand",
                                             "LeftUpLeg",
                                             "RightUpLeg",
                                             "LeftLeg",
                                             "RightLeg"};

/** \brief Returns the greatest distance of some joints in two poses, metres. */
float
greatestError(const Skeleton& human,
              const std::vector<const char*>& names,
              const std::vector<float>& a,
              const std::vector<float>& b)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(human));
  const auto jointsOf = [&](const std::vector<float>& pose) {
    pcl::gpu::DeviceArray<pcl::PointXYZ> joints;
    kinematics.computeJoints(uploaded(pose), joints);
    std::vector<pcl::PointXYZ> host;
    joints.download(host);
    return host;
  };
  const std::vector<pcl::PointXYZ> one = jointsOf(a), other = jointsOf(b);
  float greatest = 0.0f;
  for (const char* const name : names) {
    const int joint = human.findJoint(name);
    const float error =
        (one[joint].getVector3fMap() - other[joint].getVector3fMap()).norm();
    greatest = std::max(greatest, error);
  }
  return greatest;
}

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

TEST_P(PoseSearches, FindTheDirectionOfABody)
{
  const Skeleton human = makeHumanSkeleton();
  const Vector3f up(0, -1, 0), hips(0.2f, 0.1f, 2.4f);
  const SeenPerson seen = seenPerson(human, up, hips);
  PoseSearchOptions options;
  options.particles = 300;
  options.guess = PoseGuess::Place;
  const PoseSearchResult found = searchPose(human,
                                            standingPoseAt(human, up, hips),
                                            uploaded(seen.points),
                                            Vector3f::Zero(),
                                            options);
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

/** \brief Searches an upright person anywhere in the picture. */
PoseSearchResult
searchAnywhere(const Skeleton& human, const Vector3f& up, const SeenPerson& seen)
{
  PoseSearchOptions options;
  options.particles = 600;
  options.guess = PoseGuess::Upright;
  return searchPose(human,
                    standingPoseAt(human, up, Vector3f::Zero()),
                    uploaded(seen.points),
                    Vector3f::Zero(),
                    options);
}

TEST_P(PoseSearches, FindAnUprightBodyAnywhere)
{
  const Skeleton human = makeHumanSkeleton();
  const Vector3f up(0, -1, 0);
  const SeenPerson seen = seenPerson(human, up, {0.2f, 0.1f, 2.2f});
  const PoseSearchResult found = searchAnywhere(human, up, seen);
  EXPECT_LT(greatestError(human, all_joints, found.pose, seen.pose), 0.1f);
}

TEST_P(PoseSearches, FindHeadAndShouldersFromAbove)
{
  const Skeleton human = makeHumanSkeleton();
  const Vector3f up(0, 0, -1);
  const SeenPerson seen = seenPerson(human, up, {0.2f, 0.1f, 2.2f});
  const PoseSearchResult found = searchAnywhere(human, up, seen);
  EXPECT_LT(
      greatestError(human, {"Head", "LeftArm", "RightArm"}, found.pose, seen.pose),
      0.1f);
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

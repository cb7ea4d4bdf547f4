// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_articulated/fitting/seen_person.h"
#include "testing/person_views.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/articulated/pose_regression.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class PoseRegressions : public DeviceTest {};

const Vector3f from_front(0, -1, 0), from_above(0, 0, -1); // upward in these views

/** \brief Returns the distances of joints under their names, metres. */
std::map<std::string, float>
errorsOf(const std::vector<NamedJoint>& found, const std::vector<NamedJoint>& truth)
{
  std::map<std::string, float> errors;
  for (std::size_t i = 0; i < truth.size(); ++i)
    errors[truth[i].name] = (found.at(i).position - truth[i].position).norm();
  return errors;
}

float
meanOf(const std::map<std::string, float>& errors)
{
  float sum = 0.0f;
  for (const auto& [name, error] : errors)
    sum += error;
  return sum / static_cast<float>(errors.size());
}

std::vector<NamedJoint>
jointsOf(const Skeleton& skeleton, const std::vector<float>& pose)
{
  return nameJoints(JointConvention::Itop, skeleton, pose);
}

/** \brief Finds a person by the usual one, from nowhere. */
PoseRegression
regress(const std::vector<pcl::PointXYZ>& points,
        const Vector3f& up,
        const PoseRegressionOptions& options = {})
{
  const Skeleton usual = makeHumanSkeleton();
  return regressPose(usual,
                     standingPoseAt(usual, up, Vector3f::Zero()),
                     uploaded(points),
                     Vector3f::Zero(),
                     options);
}

} // namespace

TEST_P(PoseRegressions, FindPeopleOfAnyStature)
{
  for (const float stature : {1.3f, 1.6f, 1.75f, 1.95f}) {
    const Skeleton person = makeHumanSkeleton(stature);
    const SeenPerson seen = seenPerson(person, from_front, {0.2f, 0.1f, 2.4f});
    const PoseRegression found = regress(seen.points, from_front);
    const std::vector<NamedJoint> truth = jointsOf(person, seen.pose);
    EXPECT_LT(meanOf(errorsOf(found.joints, truth)), 0.06f) << stature;
    EXPECT_LT(meanOf(errorsOf(jointsOf(found.skeleton, found.pose), truth)), 0.06f)
        << stature;
    const auto legOf = [](const Skeleton& skeleton) {
      return skeleton.getJoints()[skeleton.findJoint("LeftLeg")].offset.norm() +
             skeleton.getJoints()[skeleton.findJoint("LeftFoot")].offset.norm();
    };
    EXPECT_NEAR(legOf(found.skeleton) / legOf(person), 1.0f, 0.1f) << stature;
  }
}

TEST_P(PoseRegressions, FindHeadAndShouldersFromAbove)
{
  const Skeleton person = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_above, {0.2f, 0.1f, 2.2f});
  const PoseRegression found = regress(seen.points, from_above);
  const auto errors = errorsOf(found.joints, jointsOf(person, seen.pose));
  for (const char* const name : {"Head", "Neck", "R Shoulder", "L Shoulder", "Torso"})
    EXPECT_LT(errors.at(name), 0.1f) << name;
}

TEST_P(PoseRegressions, AreOfTheSameBodyFromAnyPlace)
{
  // The same view in another frame: camera, points and vertical direction are turned.
  const Skeleton person = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_front, {0.2f, 0.1f, 2.4f});
  const PoseRegression found = regress(seen.points, from_front);
  const Eigen::Affine3f moved = Eigen::Translation3f(3.0f, -1.0f, 0.5f) *
                                Eigen::AngleAxisf(0.7f, Vector3f::UnitX()) *
                                Eigen::AngleAxisf(2.0f, Vector3f::UnitZ());
  std::vector<pcl::PointXYZ> points = seen.points;
  for (pcl::PointXYZ& point : points)
    point.getVector3fMap() = moved * Vector3f(point.getVector3fMap());
  const PoseRegression other =
      regressPose(person,
                  standingPoseAt(person, moved.linear() * from_front, Vector3f::Zero()),
                  uploaded(points),
                  moved.translation());
  // Points fall into other cells of the network's picture, which are 3.2 cm wide.
  for (std::size_t i = 0; i < found.joints.size(); ++i)
    EXPECT_LT((other.joints[i].position - moved * found.joints[i].position).norm(),
              0.04f)
        << found.joints[i].name;
}

TEST_P(PoseRegressions, DoNotDependOnTheRollOfViewsFromAbove)
{
  const Skeleton person = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_above, {0.0f, 0.0f, 2.2f});
  const PoseRegression found = regress(seen.points, from_above);
  std::vector<pcl::PointXYZ> rolled;
  for (const pcl::PointXYZ& point : seen.points)
    rolled.emplace_back(-point.y, point.x, point.z);
  const PoseRegression other = regress(rolled, from_above);
  // Points fall into other cells here, too.
  for (std::size_t i = 0; i < found.joints.size(); ++i) {
    const Vector3f& position = found.joints[i].position;
    const Vector3f expected(-position.y(), position.x(), position.z());
    EXPECT_LT((other.joints[i].position - expected).norm(), 0.04f)
        << found.joints[i].name;
  }
}

TEST_P(PoseRegressions, DoubtJointsThatAreHidden)
{
  // Seen from the left, the right arm is behind the trunk.
  const Skeleton person = makeHumanSkeleton();
  std::vector<float> pose = standingPoseAt(person, from_front, {0.0f, 0.1f, 2.4f});
  turn(pose, 1.57f);
  const PoseRegression found = regress(seenPoints(person, pose), from_front);
  const auto truth = jointsOf(person, pose);
  float left = 0.0f, right = 0.0f;
  for (const NamedJoint& joint : found.joints) {
    if (joint.name == "L Elbow" || joint.name == "L Hand")
      left += joint.deviation;
    if (joint.name == "R Elbow" || joint.name == "R Hand")
      right += joint.deviation;
    EXPECT_GT(joint.deviation, 0.0f);
    EXPECT_LT(joint.deviation, 0.6f);
  }
  EXPECT_GT(right, 1.5f * left);
}

TEST_P(PoseRegressions, KeepSizesOnRequest)
{
  const Skeleton person = makeHumanSkeleton(1.9f), usual = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_front, {0.2f, 0.1f, 2.4f});
  PoseRegressionOptions options;
  options.fit_lengths = false;
  const PoseRegression found = regress(seen.points, from_front, options);
  for (std::size_t i = 0; i < usual.getJoints().size(); ++i)
    EXPECT_EQ(found.skeleton.getJoints()[i].offset, usual.getJoints()[i].offset);
  EXPECT_LT(meanOf(errorsOf(jointsOf(found.skeleton, found.pose),
                            jointsOf(person, seen.pose))),
            0.12f);
}

TEST_P(PoseRegressions, DoNotMindStrayAndMissingPoints)
{
  const Skeleton person = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_front, {0.2f, 0.1f, 2.4f});
  std::vector<pcl::PointXYZ> points = seen.points;
  std::mt19937 random(1);
  std::shuffle(points.begin(), points.end(), random);
  points.resize(points.size() / 2);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::uniform_real_distribution<float> place(-1.0f, 1.0f);
  for (int i = 0; i < 15; ++i) {
    points.emplace_back(nan, 0.0f, 2.0f);
    points.emplace_back(place(random), place(random), 2.4f + 0.5f * place(random));
  }
  const PoseRegression found = regress(points, from_front);
  EXPECT_LT(meanOf(errorsOf(found.joints, jointsOf(person, seen.pose))), 0.08f);
}

TEST_P(PoseRegressions, KeepThePoseIfThereIsTooLittleToSee)
{
  const Skeleton usual = makeHumanSkeleton();
  const std::vector<float> pose = standingPoseAt(usual, from_front, {0, 0, 2});
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const pcl::PointXYZ& point :
       {pcl::PointXYZ(0, 0, 2), pcl::PointXYZ(nan, 0, 2)}) {
    const auto points = uploaded(std::vector<pcl::PointXYZ>(100, point));
    const PoseRegression found = regressPose(usual, pose, points, Vector3f::Zero());
    EXPECT_EQ(found.pose, pose);
    EXPECT_TRUE(found.joints.empty());
  }
}

TEST_P(PoseRegressions, HaveTheSameBitsAgain)
{
  const SeenPerson seen =
      seenPerson(makeHumanSkeleton(), from_front, {0.2f, 0.1f, 2.4f});
  EXPECT_EQ(regress(seen.points, from_front).pose,
            regress(seen.points, from_front).pose);
}

TEST_P(PoseRegressions, FindUpperBodies)
{
  const Skeleton person = makeHumanSkeleton();
  const SeenPerson seen = seenPerson(person, from_front, {0.0f, 0.3f, 1.6f});
  std::vector<pcl::PointXYZ> points;
  for (const pcl::PointXYZ& point : seen.points)
    if (point.y < 0.2f)
      points.push_back(point);
  const Skeleton upper = withoutLegs(person);
  const PoseRegression found = regressPose(upper,
                                           standingPoseAt(upper, from_front, {0, 0, 0}),
                                           uploaded(points),
                                           Vector3f::Zero());
  const auto errors =
      errorsOf(jointsOf(found.skeleton, found.pose), jointsOf(person, seen.pose));
  for (const char* const name :
       {"Head", "Neck", "R Shoulder", "L Shoulder", "L Elbow", "L Hand"})
    EXPECT_LT(errors.at(name), 0.15f) << name;
}

TEST_P(PoseRegressions, FindRecordedPeople)
{
  constexpr int pictures = 16;
  for (const char* const clip : {"cmu_02_01", "cmu_05_06", "cmu_131_01"}) {
    PersonViews views(
        dataPath(std::string("mocap/") + clip + ".bvh"), ViewSide::Front, 7);
    int near = 0, joints = 0;
    for (int picture = 0; picture < pictures; ++picture) {
      const PersonView view = views.next();
      PoseRegressionOptions options;
      options.floor = view.floor;
      const PoseRegression found = regress(view.body, view.up, options);
      for (const auto& [name, error] :
           errorsOf(jointsOf(found.skeleton, found.pose), view.joints)) {
        near += error < 0.1f ? 1 : 0;
        ++joints;
      }
    }
    EXPECT_GT(near, 80 * joints / 100) << clip;
  }
}

TEST_P(PoseRegressions, RefuseWhatCannotBe)
{
  const Skeleton human = makeHumanSkeleton();
  const std::vector<float> pose = human.restPose();
  const auto points = uploaded(std::vector<pcl::PointXYZ>(10));
  const Vector3f viewpoint(0, 0, 3);
  expectBadArgument("skeleton", [&] { regressPose({}, {}, points, viewpoint); });
  Skeleton stick;
  SkeletonJoint root;
  root.name = "Hips";
  stick.addJoint(root);
  expectBadArgument("shoulders",
                    [&] { regressPose(stick, stick.restPose(), points, viewpoint); });
  expectBadArgument("pose", [&] { regressPose(human, {}, points, viewpoint); });
  std::vector<float> bad = pose;
  bad[9] = NAN;
  expectBadArgument("pose is nan", [&] { regressPose(human, bad, points, viewpoint); });
  expectBadArgument("points", [&] { regressPose(human, pose, {}, viewpoint); });
  expectBadArgument("viewpoint", [&] {
    regressPose(human, pose, points, {0, NAN, 0});
  });
  PoseRegressionOptions options;
  options.floor = INFINITY;
  expectBadArgument("floor",
                    [&] { regressPose(human, pose, points, viewpoint, options); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PoseRegressions);

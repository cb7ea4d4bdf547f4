// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/joint_fit.h"
#include "gpu_articulated/fitting/seen_person.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/joint_convention.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Returns the joints that regressJoints() would find. */
std::vector<RegressedJoint>
foundJoints(const Skeleton& skeleton, const std::vector<float>& pose)
{
  constexpr float error = 0.02f;
  std::vector<RegressedJoint> found;
  for (const NamedJoint& joint : nameJoints(JointConvention::Itop, skeleton, pose))
    found.push_back({joint.position, error});
  return found;
}

/** \brief Returns the distances of joints, metres. */
std::vector<float>
distancesTo(const std::vector<RegressedJoint>& truth, const PosedBody& body)
{
  const auto joints = nameJoints(JointConvention::Itop, body.skeleton, body.pose);
  std::vector<float> distances;
  for (std::size_t i = 0; i < truth.size(); ++i)
    distances.push_back((joints[i].position - truth[i].position).norm());
  return distances;
}

std::vector<float>
standing(const Skeleton& skeleton)
{
  return standingPoseAt(skeleton, Vector3f::UnitY(), Vector3f::Zero());
}

/** \brief Returns a pose with angles between those of a standing person and their
 * limits. */
std::vector<float>
anyPose(const Skeleton& skeleton, std::mt19937& random)
{
  std::uniform_real_distribution<float> share(-0.6f, 0.6f);
  std::vector<float> pose = standing(skeleton);
  std::size_t place = Skeleton::root_size;
  for (const SkeletonJoint& joint : skeleton.getJoints())
    for (const JointAngle& angle : joint.angles) {
      const float s = share(random), usual = pose[place];
      pose[place++] += std::abs(s) * ((s > 0.0f ? angle.upper : angle.lower) - usual);
    }
  turn(pose, 5.0f * share(random));
  return pose;
}

} // namespace

TEST(JointFits, ReachTheJointsOfAnyPose)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const auto joints = foundJoints(skeleton, anyPose(skeleton, random));
    const PosedBody fitted = fitToJoints(skeleton, standing(skeleton), joints, false);
    const std::vector<float> distances = distancesTo(joints, fitted);
    // Usual angles hold them back.
    EXPECT_LT(*std::max_element(distances.begin(), distances.end()), 0.06f);
    EXPECT_LT(std::accumulate(distances.begin(), distances.end(), 0.0f) / 15.0f, 0.02f);
  }
}

TEST(JointFits, FindTheLengthsOfBones)
{
  const Skeleton usual = makeHumanSkeleton();
  std::mt19937 random(2);
  for (const float stature : {1.2f, 1.6f, 2.0f}) {
    SCOPED_TRACE(stature);
    const Skeleton person = makeHumanSkeleton(stature);
    const auto joints = foundJoints(person, anyPose(person, random));
    const PosedBody fitted = fitToJoints(usual, standing(usual), joints, true);
    const std::vector<float> distances = distancesTo(joints, fitted);
    EXPECT_LT(*std::max_element(distances.begin(), distances.end()), 0.02f);
    for (const char* const bone : {"LeftForeArm", "RightLeg"}) {
      const auto lengthOf = [&](const Skeleton& skeleton) {
        return skeleton.getJoints()[skeleton.findJoint(bone)].offset.norm();
      };
      EXPECT_NEAR(lengthOf(fitted.skeleton), lengthOf(person), 0.03f) << bone;
    }
  }
}

TEST(JointFits, LeaveDoubtfulJointsToTheGivenAngles)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<float> pose = standing(skeleton);
  const int knee = skeleton.angleIndex(skeleton.findJoint("LeftLeg"));
  pose[knee] = 1.2f;
  std::vector<RegressedJoint> joints = foundJoints(skeleton, pose);
  constexpr std::size_t left_foot = 14;
  joints[left_foot].error = 0.5f;
  const PosedBody fitted = fitToJoints(skeleton, standing(skeleton), joints, false);
  EXPECT_EQ(fitted.pose[knee], standing(skeleton)[knee]);
}

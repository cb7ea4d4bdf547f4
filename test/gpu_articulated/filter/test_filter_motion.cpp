// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "filter_test.h"

#include <Eigen/Geometry>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class FilterMotion : public DeviceTest {};

} // namespace

TEST_P(FilterMotion, StaysWithinLimits)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-0.5f, 1.0f, 3),
                                               limitedAngle(0, 0, 3),
                                               limitedAngle(-infinity, 0.2f, 3),
                                               limitedAngle(-0.1f, infinity, 3),
                                               limitedAngle(-infinity, infinity, 9)});
  const int size = skeleton->poseSize();
  for (const MotionModel model :
       {MotionModel::RandomWalk, MotionModel::ConstantVelocity}) {
    PoseParticleFilter filter;
    filter.setSkeleton(skeleton);
    set(filter, &FilterParameters::particle_count, 5000);
    set(filter, &FilterParameters::motion_model, model);
    set(filter, &FilterParameters::velocity_damping, 1);
    filter.initialize(skeleton->restPose());
    bool left = false, right = false;
    for (int frame = 0; frame < 10; ++frame) {
      filter.processFrame(&knowNothing, 0.5f);
      const std::vector<float> poses = downloaded(filter.getParticles());
      for (std::size_t i = 0; i < poses.size(); i += size) {
        const float* const angles = poses.data() + i + 7;
        ASSERT_GE(angles[0], -0.5f);
        ASSERT_LE(angles[0], 1.0f);
        ASSERT_EQ(angles[1], 0.0f);
        ASSERT_LE(angles[2], 0.2f);
        ASSERT_GE(angles[3], -0.1f);
        ASSERT_LE(std::abs(angles[4]), 3.1416f);
        const Eigen::Vector4f q = Eigen::Vector4f::Map(poses.data() + i + 3);
        ASSERT_NEAR(q.norm(), 1, 1e-6);
        left = left || angles[0] < -0.4f;
        right = right || angles[0] > 0.9f;
      }
    }
    EXPECT_TRUE(left && right);
  }
}

TEST_P(FilterMotion, IsWideForEveryFourthParticle)
{
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-infinity, infinity, 0.1f)});
  const int size = skeleton->poseSize();
  constexpr int count = 1000;
  std::vector<float> poses[2];
  for (const bool wide : {false, true}) {
    PoseParticleFilter filter = restingFilter(skeleton, restPoses(*skeleton, count));
    setWideMotion(filter, wide ? 3.0f : 1.0f);
    filter.processFrame(&knowNothing, 1.0f);
    poses[wide] = downloaded(filter.getParticles());
  }
  for (int i = 0; i < count; ++i) {
    const float narrow = poses[0][i * size + 7];
    EXPECT_NEAR(poses[1][i * size + 7], (i % 4 == 3 ? 3 : 1) * narrow, 1e-6f);
  }
}

TEST_P(FilterMotion, MayBeWiderWhereTheRootStays)
{
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-infinity, infinity, 0.1f)});
  const int size = skeleton->poseSize();
  constexpr int count = 100;
  std::vector<float> poses[2];
  for (const bool wide : {false, true}) {
    PoseParticleFilter filter = restingFilter(skeleton, restPoses(*skeleton, count));
    setRootDeviation(filter, 0.1f, 0.0f);
    set(filter, &FilterParameters::partitions, {{0}, {1}});
    setWideMotion(filter, wide ? 3.0f : 1.0f);
    set(filter, &FilterParameters::wide_limb_motion, wide ? 5.0f : 1.0f);
    filter.processFrame(&knowNothing, 1.0f);
    poses[wide] = downloaded(filter.getParticles());
  }
  for (int i = 0; i < count; ++i) {
    const float* const narrow = poses[0].data() + i * size;
    const float* const wide = poses[1].data() + i * size;
    EXPECT_NEAR(wide[0], (i % 4 == 3 ? 3 : 1) * narrow[0], 1e-6f);
    EXPECT_NEAR(wide[7], (i % 4 == 3 ? 5 : 1) * narrow[7], 1e-6f);
    EXPECT_NE(narrow[7], 0.0f);
  }
}

TEST_P(FilterMotion, SpreadsByItsDeviationsAndTheRootOfTime)
{
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-infinity, infinity, 0.3f)});
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  set(filter, &FilterParameters::particle_count, 100000);
  setRootDeviation(filter, 0.2f, 0.1f);
  const std::vector<float> pose = {1, 2, 3, 0.5f, -0.5f, 0.5f, 0.5f, 0.4f};
  filter.initialize(pose, std::vector<float>(7, 0.0f));
  for (int frame = 1; frame <= 3; ++frame) {
    filter.processFrame(&knowNothing, 0.25f);
    const PoseEstimate estimate = estimateOf(filter);
    const float root_of_time = std::sqrt(0.25f * frame);
    const float deviations[] = {0.2f, 0.2f, 0.2f, 0.1f, 0.1f, 0.1f, 0.3f};
    for (int freedom = 0; freedom < 7; ++freedom) {
      const float expected = deviations[freedom] * root_of_time;
      EXPECT_NEAR(estimate.deviations[freedom], expected, 0.015 * expected);
    }
    for (int number = 0; number < 8; ++number)
      EXPECT_NEAR(estimate.mean[number], pose[number], 0.003);
  }
}

TEST_P(FilterMotion, StartsWithTheDeviationsAskedFor)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-infinity, infinity, 0)});
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  set(filter, &FilterParameters::particle_count, 100000);
  setRootDeviation(filter, 0, 0);
  const std::vector<float> deviations = {0.1f, 0.2f, 0.3f, 0.05f, 0.1f, 0.15f, 0.4f};
  // The quaternion need not have unit length.
  filter.initialize({0, 0, 0, 2, 0, 0, 0, 0}, deviations);
  filter.processFrame(&knowNothing, 1);
  const PoseEstimate estimate = estimateOf(filter);
  for (int freedom = 0; freedom < 7; ++freedom)
    EXPECT_NEAR(
        estimate.deviations[freedom], deviations[freedom], 0.015 * deviations[freedom]);
}

// Without noise a damped velocity is a geometric series.
TEST_P(FilterMotion, GoesOnWithItsVelocity)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-infinity, infinity, 1)});
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  set(filter, &FilterParameters::particle_count, 1);
  set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  set(filter, &FilterParameters::velocity_damping, 0.5f);
  filter.initialize(skeleton->restPose(), std::vector<float>(7, 0.0f));
  filter.processFrame(&knowNothing, 0.5f);
  const std::vector<float> first = estimateOf(filter).mean;
  // From here on nothing but velocities moves it.
  EXPECT_NE(first[0], 0);
  EXPECT_NE(first[7], 0);
  setRootDeviation(filter, 0, 0);
  double way = first[0];
  const Eigen::AngleAxisd turn(
      Eigen::Quaterniond(first[3], first[4], first[5], first[6]));
  double angle = turn.angle(), step = first[0], turned = turn.angle();
  for (int frame = 0; frame < 5; ++frame) {
    step *= 0.5;
    turned *= 0.5;
    way += step;
    angle += turned;
    filter.processFrame(&knowNothing, 0.5f);
    const std::vector<float> mean = estimateOf(filter).mean;
    EXPECT_NEAR(mean[0], way, 1e-5);
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(angle, turn.axis()));
    const Eigen::Quaterniond found(mean[3], mean[4], mean[5], mean[6]);
    EXPECT_NEAR(std::abs(expected.dot(found)), 1, 1e-6);
  }
}

TEST_P(FilterMotion, ReturnsToTheRestPose)
{
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-2, 2, 0.0f), limitedAngle(-2, 2, 0.0f)});
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  setRootDeviation(filter, 0, 0);
  set(filter, &FilterParameters::particle_count, 4);
  std::vector<float> pose = skeleton->restPose(), rest = pose;
  pose[0] = 1.0f;
  pose[7] = 0.4f;
  pose[8] = -0.5f;
  rest[7] = 1.0f;
  rest[8] = 0.5f;
  set(filter, &FilterParameters::rest_pose, rest);
  set(filter, &FilterParameters::rest_rate, 2.0f);
  filter.initialize(pose, std::vector<float>(8, 0.0f));
  // A fifth of the way in a tenth of a second.
  float left = 1.0f;
  for (int frame = 0; frame < 4; ++frame) {
    filter.processFrame(&knowNothing, 0.1f);
    left *= 0.8f;
    const std::vector<float> mean = estimateOf(filter).mean;
    EXPECT_NEAR(mean[0], 1.0f, 1e-6);
    EXPECT_NEAR(mean[7], 1.0f - 0.6f * left, 1e-5);
    EXPECT_NEAR(mean[8], 0.5f - 1.0f * left, 1e-5);
  }
  set(filter, &FilterParameters::rest_pose, {0.0f});
  expectBadArgument("size of the rest pose",
                    [&] { filter.processFrame(&knowNothing, 0.1f); });
}

TEST_P(FilterMotion, IsThatOfAFunction)
{
  const Skeleton::ConstPtr skeleton = chainOf({});
  PoseParticleFilter filter = restingFilter(skeleton, restPoses(*skeleton, 10));
  filter.setMotionFunction(
      [](DeviceArray<float>& poses, float dt, const Stream& stream) {
        stream.synchronize();
        std::vector<float> rows = downloaded(poses);
        for (std::size_t i = 0; i < rows.size(); i += 7)
          rows[i + 1] += 2 * dt;
        poses.upload(rows);
      });
  // Once a frame, with any number of layers.
  set(filter, &FilterParameters::layers, 2);
  for (int frame = 1; frame <= 3; ++frame) {
    filter.processFrame(&knowNothing, 0.25f);
    EXPECT_FLOAT_EQ(estimateOf(filter).mean[1], 0.5f * frame);
  }
  filter.setMotionFunction(nullptr);
  filter.processFrame(&knowNothing, 0.25f);
  EXPECT_FLOAT_EQ(estimateOf(filter).mean[1], 1.5f);
}

TEST_P(FilterMotion, StartsSomeParticlesFromAProposal)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-2, 2, 0.0f)});
  constexpr int particles = 24, size = 8;
  for (const int islands : {1, 2}) {
    PoseParticleFilter filter =
        restingFilter(skeleton, restPoses(*skeleton, particles));
    set(filter, &FilterParameters::islands, islands);
    filter.initialize(skeleton->restPose(), std::vector<float>(size - 1, 0.0f));
    set(filter, &FilterParameters::proposal_share, 0.34f); // every third, at most
    std::vector<float> proposal = skeleton->restPose();
    proposal[1] = 0.5f;
    proposal[3] = 0.0f;
    proposal[5] = 2.0f; // half a turn about y, not of unit length
    proposal[7] = 1.0f;
    filter.propose(proposal);
    proposal[5] = 1.0f;
    // The second frame has no proposal, and weights that do not differ keep all.
    for (int frame = 0; frame < 2; ++frame) {
      filter.processFrame(&knowNothing, 0.25f);
      const std::vector<float> rows = downloaded(filter.getParticles());
      ASSERT_EQ(rows.size(), std::size_t(particles / islands * size));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool is_proposed = (i / size + 1) % 3 == 0;
        const std::vector<float> rest = skeleton->restPose();
        EXPECT_FLOAT_EQ(rows[i], is_proposed ? proposal[i % size] : rest[i % size])
            << i;
      }
    }
  }
}

TEST_P(FilterMotion, RefusesProposalsThatAreNoPoses)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-2, 2, 0.0f)});
  PoseParticleFilter filter;
  std::vector<float> pose = skeleton->restPose();
  expectBadArgument("skeleton", [&] { filter.propose(pose); });
  filter.setSkeleton(skeleton);
  filter.propose(pose);
  pose[3] = 0.0f;
  expectBadArgument("quaternion", [&] { filter.propose(pose); });
  pose[3] = not_a_number;
  expectBadArgument("the pose", [&] { filter.propose(pose); });
  pose.pop_back();
  expectBadArgument("pose", [&] { filter.propose(pose); });
  for (const float share : {0.0f, 1.1f, not_a_number})
    expectBadArgument("share of proposals",
                      [&] { set(filter, &FilterParameters::proposal_share, share); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterMotion);

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"

#include <pcl/conversions.h>
#include <pcl/gpu/articulated/pose_state.h>
#include <pcl/point_cloud.h>
#include <pcl/tracking/coherence.h>
#include <pcl/tracking/impl/particle_filter.hpp>
#include <pcl/tracking/impl/particle_filter_omp.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <sstream>

using namespace pcl::gpu;
using Eigen::AngleAxisf;
using Eigen::Quaternionf;
using Eigen::Vector3f;
using pcl::gpu::test::expectBadArgument;

namespace {

constexpr float pi = 3.14159265f;

PoseState
makeState(const Vector3f& position,
          const Quaternionf& orientation,
          const std::vector<float>& angles)
{
  std::vector<float> pose{position.x(),
                          position.y(),
                          position.z(),
                          orientation.w(),
                          orientation.x(),
                          orientation.y(),
                          orientation.z()};
  pose.insert(pose.end(), angles.begin(), angles.end());
  return PoseState::fromPose(pose);
}

Quaternionf
turn(float angle, const Vector3f& axis)
{
  return Quaternionf(AngleAxisf(angle, axis.normalized()));
}

Quaternionf
orientationOf(const PoseState& state)
{
  return Quaternionf(state.toEigenMatrix().rotation());
}

/** \brief Angle between two directions on the circle. */
float
distance(float a, float b)
{
  return std::abs(std::remainder(a - b, 2.0f * pi));
}

/** \brief The closer to the model's origin the target's points are, the better. */
class OriginCoherence : public pcl::tracking::PointCloudCoherence<pcl::PointXYZ> {
protected:
  void
  computeCoherence(const PointCloudInConstPtr& cloud,
                   const pcl::IndicesConstPtr&,
                   float& w) override
  {
    w = -1.0f / (1e-3f + ((*cloud)[0].getVector3fMap() -
                          (*this->target_input_)[0].getVector3fMap())
                             .norm());
  }
};

} // namespace

TEST(PoseState, IsAnAlignedPoint)
{
  EXPECT_EQ(sizeof(PoseState) % 16, 0u);
  const auto states = std::make_unique<pcl::PointCloud<PoseState>>();
  states->resize(3);
  for (const PoseState& state : *states)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&state) % 16, 0u);
}

TEST(PoseState, HoldsASkeletonsPose)
{
  const std::vector<float> pose{1, 2, 3, 0, 0.6f, 0, 0.8f, 0.1f, -0.2f};
  EXPECT_EQ(PoseState::fromPose(pose).toPose(), pose);
}

TEST(PoseState, BringsOrientationsToUnitLength)
{
  const PoseState state = PoseState::fromPose({0, 0, 0, 0, 3, 0, 4});
  EXPECT_FLOAT_EQ(state.orientation[1], 0.6f);
  EXPECT_FLOAT_EQ(state.orientation[3], 0.8f);
}

TEST(PoseState, RefusesPosesOfOtherSizes)
{
  expectBadArgument("6", [] { PoseState::fromPose(std::vector<float>(6, 1.0f)); });
  expectBadArgument("128", [] { PoseState::fromPose(std::vector<float>(128, 1.0f)); });
}

TEST(PoseState, TurnsIntoATransformAndBack)
{
  const PoseState state = makeState({1, 2, 3}, turn(2.0f, {1, 2, -1}), {});
  const PoseState again = PoseState::toState(state.toEigenMatrix());
  for (unsigned int i = 0; i < 6; ++i)
    EXPECT_NEAR(again[i], state[i], 1e-6f);
}

TEST(PoseState, NumbersItsDimensions)
{
  const PoseState state = makeState({1, 2, 3}, turn(0.5f, {0, 0, 1}), {0.1f, -0.2f});
  const float expected[] = {1, 2, 3, 0, 0, 0.5f, 0.1f, -0.2f, 0};
  for (unsigned int i = 0; i < 9; ++i)
    EXPECT_NEAR(state[i], expected[i], 1e-6f) << i;
  EXPECT_EQ(state[PoseState::stateDimension() - 1], 0.0f);
}

TEST(PoseState, OrientationsWithOppositeSignsAreTheSameRotationVector)
{
  const Quaternionf q = turn(0.5f, {0, 0, 1});
  const PoseState state = makeState({0, 0, 0}, Quaternionf(-q.coeffs()), {});
  EXPECT_NEAR(state[5], 0.5f, 1e-6f);
}

TEST(PoseState, ADifferenceAddedBackGivesTheState)
{
  const PoseState a = makeState({1, 2, 3}, turn(2.5f, {1, 0, 1}), {3.0f, -1.0f});
  const PoseState b = makeState({4, 0, 1}, turn(-1.5f, {0, 1, 1}), {-3.0f, 2.0f});
  const PoseState sum = b + (a - b);
  EXPECT_LT((sum.getVector3fMap() - a.getVector3fMap()).norm(), 1e-6f);
  EXPECT_LT(orientationOf(sum).angularDistance(orientationOf(a)), 1e-3f);
  EXPECT_LT(distance(sum.angles[0], a.angles[0]), 1e-6f);
  EXPECT_LT(distance(sum.angles[1], a.angles[1]), 1e-6f);
  // By the shorter way around: 3 - (-3) is 0.28 less than nothing.
  EXPECT_NEAR((a - b).angles[0], 6.0f - 2.0f * pi, 1e-6f);
}

TEST(PoseState, ZeroAddsNothing)
{
  PoseState zero = makeState({1, 2, 3}, turn(1, {1, 0, 0}), {1.0f});
  zero.zero();
  const PoseState a = makeState({1, 2, 3}, turn(2.5f, {1, 0, 1}), {3.0f, -1.0f});
  for (const PoseState& sum : {zero + a, a + zero, a - zero})
    for (unsigned int i = 0; i < 8; ++i)
      EXPECT_NEAR(sum[i], a[i], 1e-6f);
}

TEST(PoseState, WeightedAverageGoesAcrossPi)
{
  std::vector<PoseState> states;
  for (const float degrees : {179.0f, -179.0f, 178.0f, -178.0f})
    states.push_back(makeState({degrees, 0, 0},
                               turn(degrees * pi / 180.0f, {0, 1, 0}),
                               {degrees * pi / 180.0f}));
  for (PoseState& state : states)
    state.weight = 0.25f;
  const PoseState mean = PoseState::weightedAverage(states.begin(), states.end());
  EXPECT_NEAR(mean.x, 0.0f, 1e-5f);
  EXPECT_LT(distance(mean.angles[0], pi), 1e-6f);
  EXPECT_LT(orientationOf(mean).angularDistance(turn(pi, {0, 1, 0})), 1e-3f);
}

TEST(PoseState, WeightedAverageFollowsTheWeights)
{
  std::vector<PoseState> states{makeState({0, 0, 0}, turn(0.2f, {1, 2, 3}), {0.1f}),
                                makeState({4, 0, 0}, turn(0.6f, {1, 2, 3}), {0.5f})};
  states[0].weight = 3.0f;
  states[1].weight = 1.0f;
  PoseState mean = PoseState::weightedAverage(states.begin(), states.end());
  EXPECT_NEAR(mean.x, 1.0f, 1e-6f);
  EXPECT_NEAR(mean.angles[0], 0.2f, 2e-3f);
  EXPECT_LT(orientationOf(mean).angularDistance(turn(0.3f, {1, 2, 3})), 2e-3f);
  states[0].weight = states[1].weight = 0.0f;
  mean = PoseState::weightedAverage(states.begin(), states.end());
  EXPECT_NEAR(mean.x, 2.0f, 1e-6f);
  EXPECT_EQ(PoseState::weightedAverage(states.end(), states.end()).angle_count, 0);
}

TEST(PoseState, SharesSumUpToTheMeanAcrossPi)
{
  PoseState mean;
  mean.zero();
  float total = 0.0f;
  for (const float degrees : {179.0f, -179.0f, 175.0f, -175.0f}) {
    const PoseState state = makeState({degrees, 0, 0},
                                      turn(degrees * pi / 180.0f, {0, 1, 0}),
                                      {degrees * pi / 180.0f});
    mean = mean + state * 0.25;
    total += 0.25f;
  }
  mean = mean + makeState({1e6f, 0, 0}, turn(1, {1, 0, 0}), {1.0f}) * 0.0;
  EXPECT_NEAR(mean.x, 0.0f, 1e-4f);
  EXPECT_NEAR(mean.share, total, 1e-6f);
  EXPECT_LT(distance(mean.angles[0], pi), 1e-5f);
  EXPECT_LT(orientationOf(mean).angularDistance(turn(pi, {0, 1, 0})), 1e-3f);
}

TEST(PoseState, SamplesWithTheGivenMeanAndVariance)
{
  const std::vector<double> mean{1, 0, 0, 0, 0, 0, 0.5};
  const std::vector<double> variance{0.04, 0, 0, 0, 0.01, 0, 0.25};
  constexpr int count = 20000;
  double sums[3] = {}, squares[3] = {};
  for (int i = 0; i < count; ++i) {
    PoseState state;
    state.sample(mean, variance);
    EXPECT_EQ(state.angle_count, 1);
    const double errors[] = {state.x - 1.0, state[4], state.angles[0] - 0.5};
    for (int k = 0; k < 3; ++k) {
      sums[k] += errors[k];
      squares[k] += errors[k] * errors[k];
    }
    EXPECT_EQ(state.y, 0.0f);
    EXPECT_NEAR(state[3], 0.0f, 1e-6f);
  }
  const double variances[] = {0.04, 0.01, 0.25};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sums[k] / count, 0.0, 5.0 * std::sqrt(variances[k] / count));
    EXPECT_NEAR(squares[k] / count / variances[k], 1.0, 5.0 * std::sqrt(2.0 / count));
  }
}

TEST(PoseState, GoesThroughACloudMessage)
{
  pcl::PointCloud<PoseState> cloud, again;
  cloud.push_back(makeState({1, 2, 3}, turn(0.5f, {0, 0, 1}), {0.1f, -0.2f}));
  cloud[0].weight = 0.75f;
  pcl::PCLPointCloud2 message;
  pcl::toPCLPointCloud2(cloud, message);
  pcl::fromPCLPointCloud2(message, again);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].toPose(), cloud[0].toPose());
  EXPECT_EQ(again[0].weight, 0.75f);
}

TEST(PoseState, PrintsItsPose)
{
  std::ostringstream out;
  out << makeState({1, 2, 3}, Quaternionf::Identity(), {0.5f});
  EXPECT_EQ(out.str(), "(1,2,3,1,0,0,0,0.5)");
}

TEST(PoseState, IsAStateOfPclsParticleFilter)
{
  using Tracker = pcl::tracking::ParticleFilterOMPTracker<pcl::PointXYZ, PoseState>;
  pcl::PointCloud<pcl::PointXYZ>::Ptr reference(new pcl::PointCloud<pcl::PointXYZ>);
  reference->emplace_back(0, 0, 0);
  reference->emplace_back(-1, -1, -1);
  reference->emplace_back(1, 1, 1);
  pcl::PointCloud<pcl::PointXYZ>::Ptr target(new pcl::PointCloud<pcl::PointXYZ>);
  target->emplace_back(0.2f, 0.1f, 0.0f);
  Tracker tracker(1);
  tracker.setParticleNum(300);
  tracker.setIterationNum(10);
  tracker.setUseNormal(false);
  tracker.setStepNoiseCovariance(std::vector<double>(6, 1e-3));
  tracker.setInitialNoiseCovariance(std::vector<double>(6, 1e-2));
  tracker.setInitialNoiseMean(std::vector<double>(6, 0.0));
  tracker.setTrans(Eigen::Affine3f::Identity());
  tracker.setReferenceCloud(reference);
  tracker.setCloudCoherence(
      pcl::tracking::PointCloudCoherence<pcl::PointXYZ>::Ptr(new OriginCoherence));
  tracker.setInputCloud(target);
  tracker.compute();
  const PoseState result = tracker.getResult();
  EXPECT_NEAR(result.x, 0.2f, 0.05f);
  EXPECT_NEAR(result.y, 0.1f, 0.05f);
  EXPECT_NEAR(orientationOf(result).norm(), 1.0f, 1e-5f);
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "filter_test.h"

#include <Eigen/Geometry>

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A narrow peak at x = y = 1 and an angle of 1, with wide slopes around. */
double
narrowPeak(const float* pose)
{
  const double squares = std::pow(pose[0] - 1.0, 2) + std::pow(pose[1] - 1.0, 2) +
                         std::pow(pose[7] - 1.0, 2);
  return -3e4 * squares;
}

class FilterAnnealing : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    skeleton_ = chainOf({limitedAngle(-infinity, infinity), limitedAngle(-1, 1)});
    filter_.setSkeleton(skeleton_);
    set(filter_, &FilterParameters::particle_count, 1000);
    setRootDeviation(filter_, 1, 0.1f);
  }

  PoseEstimate
  estimateAfter(int frames)
  {
    filter_.initialize(skeleton_->restPose());
    for (int frame = 0; frame < frames; ++frame)
      filter_.processFrame(onHost(9, &narrowPeak), 1);
    return estimateOf(filter_);
  }

  static double
  errorOf(const PoseEstimate& estimate)
  {
    return std::abs(estimate.mean[0] - 1) + std::abs(estimate.mean[1] - 1) +
           std::abs(estimate.mean[7] - 1);
  }

  Skeleton::ConstPtr skeleton_;
  PoseParticleFilter filter_;
};

} // namespace

TEST_P(FilterAnnealing, FindsANarrowPeakInOneFrame)
{
  const double without = errorOf(estimateAfter(1));
  set(filter_, &FilterParameters::layers, 12);
  set(filter_, &FilterParameters::layer_decay, 0.6f);
  set(filter_, &FilterParameters::survival_rate, 0.3f);
  const PoseEstimate by_motion = estimateAfter(1);
  set(filter_, &FilterParameters::layer_noise, LayerNoise::Spread);
  const PoseEstimate by_spread = estimateAfter(1);
  EXPECT_GT(without, 0.03);
  EXPECT_LT(errorOf(by_motion), 0.01);
  EXPECT_LT(errorOf(by_spread), 0.01);
  EXPECT_TRUE(by_motion.resampled);
}

TEST_P(FilterAnnealing, BySpreadKeepsMeanAndCovariance)
{
  // A hinge, and a ball joint whose second angle is near a quarter turn, all
  // correlated.
  const Skeleton::ConstPtr skeleton =
      withBallJoint(chainOf({limitedAngle(-3, 3, 0)}), 0.0f, true);
  const int size = skeleton->poseSize(), freedoms = size - 1;
  constexpr int count = 20000;
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  const Eigen::MatrixXf mixing = Eigen::MatrixXf::NullaryExpr(
      freedoms, freedoms, [&] { return 0.03f * normal(generator); });
  std::vector<float> poses;
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXf x = mixing * Eigen::VectorXf::NullaryExpr(
                                           freedoms, [&] { return normal(generator); });
    const Eigen::Quaternionf q(1.0f, 0.5f * x[3], 0.5f * x[4], 0.5f * x[5]);
    std::vector<float> pose = {x[0], x[1], x[2]};
    const Eigen::Quaternionf unit = q.normalized();
    pose.insert(pose.end(), {unit.w(), unit.x(), unit.y(), unit.z()});
    pose.insert(pose.end(), {x[6], 0.3f + x[7], 1.0f + x[8], x[9]});
    poses.insert(poses.end(), pose.begin(), pose.end());
  }
  const auto nothing = onHost(size, [](const float*) { return 0.0; });
  const auto covarianceAfter = [&](int layers, PoseEstimate& estimate) {
    PoseParticleFilter filter = restingFilter(skeleton, poses);
    set(filter, &FilterParameters::layers, layers);
    set(filter, &FilterParameters::layer_noise, LayerNoise::Spread);
    set(filter, &FilterParameters::layer_decay, 0.7f);
    filter.processFrame(nothing, 1.0f);
    estimate = estimateOf(filter);
    EXPECT_EQ(downloaded(filter.getParticles())[0] == poses[0], layers == 1);
    Eigen::MatrixXf covariance;
    filter.getCovariance(covariance);
    return covariance;
  };
  PoseEstimate before, after;
  const Eigen::MatrixXf expected = covarianceAfter(1, before);
  const Eigen::MatrixXf found = covarianceAfter(6, after);
  // Some deviations of the mean of so many samples, in five layers.
  for (int i = 0; i < freedoms; ++i)
    for (int j = 0; j < freedoms; ++j)
      EXPECT_NEAR(found(i, j),
                  expected(i, j),
                  0.08f * std::sqrt(expected(i, i) * expected(j, j)));
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(after.mean[i], before.mean[i], 0.05f * before.deviations[i]);
  EXPECT_NEAR(after.mean[7], before.mean[7], 0.05f * before.deviations[6]);
}

TEST_P(FilterAnnealing, KeepsTheSurvivalRate)
{
  for (const std::size_t count : {1u, 100u, 3000u, 10000u})
    for (const float rate : {0.1f, 0.5f, 0.9f}) {
      set(filter_, &FilterParameters::particle_count, count);
      set(filter_, &FilterParameters::survival_rate, rate);
      const PoseEstimate estimate = estimateAfter(1);
      EXPECT_LE(estimate.exponent, 1.0);
      const double share = estimate.effective_sample_size / count;
      if (count <= 4096) {
        EXPECT_GE(share, rate);
      }
      if (count > 100) {
        EXPECT_NEAR(share, rate, 0.02);
      }
    }
  // If enough survive, likelihoods do not change.
  filter_.processFrame(onHost(9, [](const float*) { return -1e5; }), 1);
  EXPECT_EQ(estimateOf(filter_).exponent, 1.0);
}

TEST_P(FilterAnnealing, RaisesLikelihoodsToTheExponentOfTheLayer)
{
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = -0.01 * i;
  filter_.initialize(skeleton_->restPose());
  const auto logWeights = [&] {
    filter_.processFrame(fixedLikelihoods(values), 1);
    return downloaded(filter_.getLogWeights());
  };
  set(filter_, &FilterParameters::layers, 3);
  EXPECT_EQ(logWeights(), values);
  set(filter_, &FilterParameters::layer_exponents, {1, 1, 0.25f});
  EXPECT_EQ(estimateOf(filter_).exponent, 1.0);
  const std::vector<double> weights = logWeights();
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_DOUBLE_EQ(weights[i], 0.25 * values[i]);
  EXPECT_EQ(estimateOf(filter_).exponent, 0.25);
}

TEST_P(FilterAnnealing, MovesPartitionsOneByOne)
{
  set(filter_, &FilterParameters::partitions, {{0}, {2}});
  const std::vector<float> start = skeleton_->restPose();
  filter_.initialize(start, std::vector<float>(8, 0.0f));
  int calls = 0;
  const auto likelihood = [&](const DeviceArray<float>& poses,
                              DeviceArray<double>& values,
                              const Stream& stream) {
    stream.synchronize();
    const std::vector<float> rows = downloaded(poses);
    values.upload(std::vector<double>(values.size(), 0.0));
    for (std::size_t i = 0; i < rows.size(); i += 9) {
      // Joint 1 is of no partition, and moves with the first.
      EXPECT_NE(rows[i], 0.0f);
      EXPECT_NE(rows[i + 7], 0.0f);
      EXPECT_EQ(rows[i + 8] != 0.0f, calls > 0);
    }
    ++calls;
  };
  filter_.processFrame(likelihood, 1);
  EXPECT_EQ(calls, 2);
}

TEST_P(FilterAnnealing, GoesOnInAPartitionLikeTheOneBefore)
{
  set(filter_, &FilterParameters::particle_count, 20000);
  setRootDeviation(filter_, 0.2f, 0.1f);
  const auto nothing = onHost(9, [](const float*) { return 0.0; });
  const auto deviationAfter = [&](const std::vector<std::vector<int>>& partitions,
                                  LayerNoise noise) {
    set(filter_, &FilterParameters::partitions, partitions);
    set(filter_, &FilterParameters::layer_noise, noise);
    set(filter_, &FilterParameters::layer_decay, 0.5f);
    filter_.initialize(skeleton_->restPose(), std::vector<float>(8, 0.0f));
    filter_.processFrame(nothing, 1);
    return estimateOf(filter_).deviations[0];
  };
  EXPECT_NEAR(deviationAfter({{0}, {0}}, LayerNoise::Spread), 0.2, 0.01);
  EXPECT_NEAR(
      deviationAfter({{0}, {0}}, LayerNoise::Motion), 0.2 * std::sqrt(1.25), 0.01);
  // Another one between them: both start with the noise of the motion.
  EXPECT_NEAR(
      deviationAfter({{0}, {1}, {0}}, LayerNoise::Spread), 0.2 * std::sqrt(2.0), 0.01);
}

TEST_P(FilterAnnealing, FindsThePeakByPartitions)
{
  set(filter_, &FilterParameters::partitions, {{0}, {1}, {2}});
  set(filter_, &FilterParameters::layers, 6);
  set(filter_, &FilterParameters::layer_decay, 0.4f);
  set(filter_, &FilterParameters::survival_rate, 0.3f);
  EXPECT_LT(errorOf(estimateAfter(2)), 0.03);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterAnnealing);

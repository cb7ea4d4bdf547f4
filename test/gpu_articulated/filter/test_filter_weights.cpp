// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "filter_test.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class FilterWeights : public DeviceTest {
protected:
  /** \brief A filter that has seen one frame with these log-likelihoods. Its particles
   * are at x = 0, 1, 2 ... */
  static PoseParticleFilter
  weighed(const std::vector<double>& log_likelihoods)
  {
    const Skeleton::ConstPtr skeleton = chainOf({});
    std::vector<float> poses = restPoses(*skeleton, log_likelihoods.size());
    for (std::size_t i = 0; i < log_likelihoods.size(); ++i)
      poses[7 * i] = static_cast<float>(i);
    PoseParticleFilter filter = restingFilter(skeleton, poses);
    filter.processFrame(fixedLikelihoods(log_likelihoods), 1);
    return filter;
  }

  static PoseEstimate
  estimateFor(const std::vector<double>& log_likelihoods)
  {
    return estimateOf(weighed(log_likelihoods));
  }
};

} // namespace

TEST_P(FilterWeights, HaveTheEffectiveSampleSizeOfTheirSquares)
{
  std::mt19937 generator(1);
  std::normal_distribution<double> random(0, 3);
  for (const int count : {1, 2, 255, 256, 257, 5000}) {
    std::vector<double> values(count);
    double greatest = -infinity, sum = 0, squares = 0;
    for (double& value : values) {
      value = random(generator);
      greatest = std::max(greatest, value);
    }
    for (const double value : values) {
      sum += std::exp(value - greatest);
      squares += std::exp(2 * (value - greatest));
    }
    const PoseEstimate estimate = estimateFor(values);
    EXPECT_NEAR(estimate.effective_sample_size / (sum * sum / squares), 1, 1e-9);
    EXPECT_NEAR(estimate.log_evidence, greatest + std::log(sum / count), 1e-9);
    EXPECT_EQ(estimate.best_log_likelihood, greatest);
    EXPECT_TRUE(estimate.possible);
    EXPECT_EQ(estimate.frame, 1u);
  }
  // All the same, one alone, half of them.
  EXPECT_DOUBLE_EQ(estimateFor(std::vector<double>(777, -5)).effective_sample_size,
                   777);
  std::vector<double> values(1000, -infinity);
  values[123] = -5;
  EXPECT_DOUBLE_EQ(estimateFor(values).effective_sample_size, 1);
  for (int i = 0; i < 500; ++i)
    values[i] = -5;
  EXPECT_DOUBLE_EQ(estimateFor(values).effective_sample_size, 500);
}

TEST_P(FilterWeights, AreTheSameForAnyOffset)
{
  const std::vector<double> values = {-3, -1, -2, -7, -1.5};
  const PoseEstimate expected = estimateFor(values);
  for (const double offset : {-1e6, 1e6, -1e9}) {
    std::vector<double> moved = values;
    for (double& value : moved)
      value += offset;
    const PoseEstimate estimate = estimateFor(moved);
    EXPECT_NEAR(estimate.mean[0], expected.mean[0], 1e-6);
    EXPECT_NEAR(estimate.effective_sample_size, expected.effective_sample_size, 1e-6);
    EXPECT_NEAR(estimate.log_evidence - offset, expected.log_evidence, 1e-6);
  }
}

TEST_P(FilterWeights, AreZeroForImpossibleParticles)
{
  const PoseParticleFilter filter =
      weighed({not_a_number, -3, -infinity, -3, infinity});
  const PoseEstimate estimate = estimateOf(filter);
  EXPECT_TRUE(estimate.possible);
  EXPECT_DOUBLE_EQ(estimate.effective_sample_size, 2);
  EXPECT_FLOAT_EQ(estimate.mean[0], 2);
  EXPECT_FLOAT_EQ(estimate.best[0], 1);
  const std::vector<double> expected = {-infinity, 0, -infinity, 0, -infinity};
  EXPECT_EQ(downloaded(filter.getLogWeights()), expected);
  for (const std::uint32_t ancestor : downloaded(filter.getAncestors()))
    EXPECT_TRUE(ancestor == 1 || ancestor == 3);
}

TEST_P(FilterWeights, AreEqualIfNoParticleIsPossible)
{
  for (const std::vector<double>& values :
       {std::vector<double>{not_a_number, not_a_number, not_a_number},
        std::vector<double>(4, -infinity)}) {
    const PoseParticleFilter filter = weighed(values);
    const PoseEstimate estimate = estimateOf(filter);
    EXPECT_FALSE(estimate.possible);
    EXPECT_EQ(estimate.log_evidence, -infinity);
    EXPECT_DOUBLE_EQ(estimate.effective_sample_size, values.size());
    EXPECT_FLOAT_EQ(estimate.mean[0], 0.5f * (values.size() - 1));
    EXPECT_EQ(downloaded(filter.getLogWeights()),
              std::vector<double>(values.size(), 0.0));
  }
}

TEST_P(FilterWeights, AreCarriedOnWhileEnoughParticlesCount)
{
  const std::vector<double> values = {0, -0.1, -0.2, -0.3};
  PoseParticleFilter filter = weighed(values);
  EXPECT_FALSE(estimateOf(filter).resampled);
  const double former = estimateOf(filter).log_evidence;
  filter.processFrame(fixedLikelihoods(values), 1);
  const std::vector<double> weights = downloaded(filter.getLogWeights());
  double first = 0, both = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(weights[i], 2 * values[i], 1e-12);
    first += std::exp(values[i]);
    both += std::exp(2 * values[i]);
  }
  EXPECT_NEAR(former, std::log(first / 4), 1e-12);
  EXPECT_NEAR(estimateOf(filter).log_evidence, std::log(both / first), 1e-12);
  // Until one counts for most; then all start again.
  filter.processFrame(fixedLikelihoods({0, -9, -9, -9}), 1);
  EXPECT_TRUE(estimateOf(filter).resampled);
  filter.processFrame(fixedLikelihoods(values), 1);
  EXPECT_EQ(downloaded(filter.getLogWeights()), values);
  EXPECT_EQ(downloaded(filter.getParticles())[7], 0.0f);
}

TEST_P(FilterWeights, ArePreciseForManyParticles)
{
  const std::size_t count = (1 << 20) + 3;
  std::vector<double> values(count, -20.0);
  values[count - 1] = 0;
  const PoseEstimate estimate = estimateFor(values);
  const double others = std::exp(-20.0) * (count - 1);
  EXPECT_NEAR(estimate.log_evidence, std::log((1 + others) / count), 1e-6);
  EXPECT_EQ(estimate.best[0], static_cast<float>(count - 1));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterWeights);

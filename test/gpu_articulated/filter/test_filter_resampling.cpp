// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_test.h"

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class FilterResampling : public DeviceTest {
protected:
  static PoseParticleFilter
  filterOf(std::size_t count, Resampling resampling)
  {
    const Skeleton::ConstPtr skeleton = chainOf({});
    PoseParticleFilter filter = restingFilter(skeleton, restPoses(*skeleton, count));
    set(filter, &FilterParameters::resampling, resampling);
    set(filter, &FilterParameters::resample_threshold, 1);
    return filter;
  }

  /** \brief How many of the next particles come from each. */
  static std::vector<int>
  copies(PoseParticleFilter& filter, const std::vector<double>& log_likelihoods)
  {
    filter.processFrame(fixedLikelihoods(log_likelihoods), 1);
    std::vector<int> counts(log_likelihoods.size());
    for (const std::uint32_t ancestor : downloaded(filter.getAncestors()))
      ++counts.at(ancestor);
    return counts;
  }

  /** \brief Shares of the particles, which sum up to 1. */
  static std::vector<double>
  shares(const std::vector<double>& log_likelihoods)
  {
    double sum = 0;
    for (const double value : log_likelihoods)
      sum += std::exp(value);
    std::vector<double> shares;
    for (const double value : log_likelihoods)
      shares.push_back(std::exp(value) / sum);
    return shares;
  }
};

const std::vector<double> eight = {0, -1, -0.3, -4, -2.2, -0.01, -0.7, -1.4};

} // namespace

TEST_P(FilterResampling, IsUnbiased)
{
  const std::vector<double> expected = shares(eight);
  for (const Resampling resampling :
       {Resampling::Systematic, Resampling::Stratified, Resampling::Residual}) {
    PoseParticleFilter filter = filterOf(eight.size(), resampling);
    std::mt19937 generator(1);
    std::vector<int> drawn(eight.size());
    const int draws = 4000;
    for (int draw = 0; draw < draws; ++draw) {
      set(filter, &FilterParameters::seed, draw % 40);
      filter.processFrame(fixedLikelihoods(eight), 1);
      // One of the next particles, any: the others of this frame depend on it.
      ++drawn.at(downloaded(filter.getAncestors())[generator() % eight.size()]);
    }
    double chi_square = 0;
    for (std::size_t i = 0; i < eight.size(); ++i) {
      const double mean = draws * expected[i];
      chi_square += (drawn[i] - mean) * (drawn[i] - mean) / mean;
    }
    // Seven degrees of freedom: above 24.3 once in a thousand.
    EXPECT_LT(chi_square, 24.3) << static_cast<int>(resampling);
  }
}

TEST_P(FilterResampling, GivesEveryParticleItsShareRounded)
{
  std::mt19937 generator(2);
  std::normal_distribution<double> random(0, 2);
  for (const std::size_t count : {1u, 7u, 64u, 1000u, 4099u}) {
    std::vector<double> values(count);
    for (double& value : values)
      value = random(generator);
    const std::vector<double> expected = shares(values);
    PoseParticleFilter systematic = filterOf(count, Resampling::Systematic);
    PoseParticleFilter residual = filterOf(count, Resampling::Residual);
    for (int frame = 0; frame < 3; ++frame) {
      const std::vector<int> even = copies(systematic, values);
      const std::vector<int> whole = copies(residual, values);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_GE(even[i], std::floor(count * expected[i] - 1e-9));
        EXPECT_LE(even[i], std::ceil(count * expected[i] + 1e-9));
        EXPECT_GE(whole[i], std::floor(count * expected[i] - 1e-9));
      }
    }
  }
}

TEST_P(FilterResampling, KeepsAllParticlesOfEqualWeight)
{
  for (const Resampling resampling :
       {Resampling::Systematic, Resampling::Stratified, Resampling::Residual}) {
    PoseParticleFilter filter = filterOf(1000, resampling);
    EXPECT_EQ(copies(filter, std::vector<double>(1000, -3.0)),
              std::vector<int>(1000, 1));
  }
}

TEST_P(FilterResampling, MovesPosesToTheirHeirs)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-9, 9, 0)});
  const int size = skeleton->poseSize();
  std::vector<float> poses = restPoses(*skeleton, 300);
  for (int i = 0; i < 300; ++i) {
    poses[size * i + 1] = static_cast<float>(i);
    poses[size * i + 7] = 0.01f * i;
  }
  PoseParticleFilter filter = restingFilter(skeleton, poses);
  std::vector<double> values(300, -100.0);
  for (int i = 0; i < 300; i += 10)
    values[i] = 0;
  filter.processFrame(fixedLikelihoods(values), 1);
  const std::vector<std::uint32_t> ancestors = downloaded(filter.getAncestors());
  EXPECT_EQ(downloaded(filter.getParticles()), poses);
  filter.processFrame(fixedLikelihoods(values), 1);
  const std::vector<float> heirs = downloaded(filter.getParticles());
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(ancestors[i], static_cast<std::uint32_t>(i / 10 * 10));
    EXPECT_EQ(heirs[size * i + 1], poses[size * ancestors[i] + 1]);
    EXPECT_EQ(heirs[size * i + 7], poses[size * ancestors[i] + 7]);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterResampling);

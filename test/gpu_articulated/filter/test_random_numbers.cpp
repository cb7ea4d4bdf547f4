// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace pcl::device;

namespace {

/** \brief Normal deviates of many particles: those of one dimension, one frame, one
 * layer. */
std::vector<float>
normals(int particles, std::uint64_t seed, int dimension, int frame, int layer)
{
  std::vector<float> values;
  for (int particle = 0; particle < particles; ++particle) {
    const NormalDeviates some =
        normalDeviates(randomBits(seed, particle, dimension, frame, layer));
    values.insert(values.end(), some.value, some.value + 4);
  }
  return values;
}

double
correlation(const std::vector<float>& a, const std::vector<float>& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += double(a[i]) * b[i];
  return sum / a.size();
}

} // namespace

// Known answers that come with Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST(RandomNumbers, ArePhilox)
{
  const auto expectBits = [](std::uint64_t seed,
                             const std::uint32_t(&counter)[4],
                             const std::uint32_t(&expected)[4]) {
    const RandomBits bits =
        randomBits(seed, counter[0], counter[1], counter[2], counter[3]);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(bits.v[i], expected[i]);
  };
  expectBits(0, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expectBits(0xffffffffffffffff,
             {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
             {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expectBits(0x299f31d0a4093822,
             {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
             {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(RandomNumbers, AreNormal)
{
  std::vector<float> values = normals(250000, 1, 2, 3, 4);
  const double count = values.size();
  double moments[5] = {};
  for (const float value : values)
    for (int power = 1; power <= 4; ++power)
      moments[power] += std::pow(value, power) / count;
  // Four deviations of the mean of a million such numbers.
  EXPECT_NEAR(moments[1], 0, 4 * std::sqrt(1 / count));
  EXPECT_NEAR(moments[2], 1, 4 * std::sqrt(2 / count));
  EXPECT_NEAR(moments[3], 0, 4 * std::sqrt(15 / count));
  EXPECT_NEAR(moments[4], 3, 4 * std::sqrt(96 / count));

  // Kolmogorov and Smirnov: above 1.95 / sqrt(n) once in a thousand.
  std::sort(values.begin(), values.end());
  double greatest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    greatest = std::max({greatest,
                         std::abs((i + 1) / count - expected),
                         std::abs(i / count - expected)});
  }
  EXPECT_LT(greatest, 1.95 / std::sqrt(count));
}

TEST(RandomNumbers, HaveTails)
{
  const std::uint32_t extremes[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const std::uint32_t first : extremes)
    for (const std::uint32_t second : extremes) {
      const NormalDeviates some = normalDeviates({{first, second, second, first}});
      for (const float value : some.value)
        EXPECT_LE(std::abs(value), 6.8f);
    }
  EXPECT_GT(normalDeviates({{0, 0, 0, 0}}).value[0], 6.6f);
  EXPECT_GT(uniformDeviate(0), 0.0f);
  EXPECT_LE(uniformDeviate(0xffffffff), 1.0f);
}

TEST(RandomNumbers, OfOtherCountersAreIndependent)
{
  const int particles = 50000;
  const std::vector<float> some = normals(particles, 1, 2, 3, 4);
  const double bound = 4.5 / std::sqrt(some.size());
  EXPECT_LT(std::abs(correlation(some, normals(particles, 2, 2, 3, 4))), bound);
  EXPECT_LT(std::abs(correlation(some, normals(particles, 1ull << 32 | 1, 2, 3, 4))),
            bound);
  EXPECT_LT(std::abs(correlation(some, normals(particles, 1, 3, 3, 4))), bound);
  EXPECT_LT(std::abs(correlation(some, normals(particles, 1, 2, 4, 4))), bound);
  EXPECT_LT(std::abs(correlation(some, normals(particles, 1, 2, 3, 5))), bound);
  // Neighbouring numbers of one stream, and of the pairs that are made together.
  for (const int distance : {1, 2, 3, 4}) {
    const std::vector<float> next(some.begin() + distance, some.end());
    const std::vector<float> former(some.begin(), some.end() - distance);
    EXPECT_LT(std::abs(correlation(former, next)), bound);
  }
}

TEST(RandomNumbers, HaveTheLogarithm)
{
  for (int i = 0; i < 100000; ++i) {
    const float value = std::ldexp(0.5f + 5e-6f * i, -(i % 33));
    const double expected = std::log(double(value));
    EXPECT_NEAR(
        naturalLogarithm(value), expected, 1.5e-7 * std::max(1.0, std::abs(expected)));
  }
  EXPECT_EQ(naturalLogarithm(1.0f), 0.0f);
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

using pcl::gpu::KinectNoise;

namespace {

constexpr int rows = 150, columns = 200;

std::vector<float>
wall(float depth)
{
  return std::vector<float>(rows * columns, depth);
}

bool
isSame(const std::vector<float>& a, const std::vector<float>& b)
{
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(DepthNoise, DeviationAndStepsGrowWithTheSquareOfDepth)
{
  for (const double factor : {1.0, 2.0})
    for (const double z : {0.8, 1.0, 2.0}) {
      const std::vector<float> noisy =
          KinectNoise(factor, 7).apply(wall(static_cast<float>(z)), columns);
      double sum = 0.0, squares = 0.0;
      std::size_t count = 0;
      std::set<float> depths;
      for (const float depth : noisy) {
        if (std::isnan(depth)) // rays that leave the image
          continue;
        sum += depth - z;
        squares += (depth - z) * (depth - z);
        ++count;
        depths.insert(depth);
      }
      EXPECT_GT(count, noisy.size() * 97 / 100);
      const double step = 0.00285 * factor * z * z, error = 0.5 * step;
      const double expected = std::sqrt(error * error + step * step / 12.0);
      const double mean = sum / static_cast<double>(count);
      EXPECT_NEAR(mean, 0.0, 0.2 * step);
      EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count) - mean * mean),
                  expected,
                  0.08 * expected)
          << factor << " " << z;
      for (auto next = depths.begin(), last = next++; next != depths.end();
           last = next++)
        EXPECT_NEAR(*next - *last, step, 0.05 * step) << "even steps of 1 / z";
    }
}

TEST(DepthNoise, RaysJitterAtEdges)
{
  std::vector<float> image = wall(1.0f);
  for (int v = 0; v < rows; ++v)
    for (int u = 100; u < columns; ++u)
      image[v * columns + u] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> noisy = KinectNoise(1.0, 3).apply(image, columns);
  int beyond = 0, missing = 0;
  for (int v = 0; v < rows; ++v) {
    const float* row = &noisy[v * columns];
    beyond += !std::isnan(row[100]);
    missing += std::isnan(row[99]);
    for (int u = 104; u < columns; ++u)
      EXPECT_TRUE(std::isnan(row[u])) << u;
  }
  // Rounded deviates of half a pixel leave their pixel to one side once in 6.3.
  EXPECT_NEAR(beyond, rows / 6.3, 12.0);
  EXPECT_NEAR(missing, rows / 6.3, 12.0);
}

TEST(DepthNoise, SeedsAndNoNoise)
{
  const std::vector<float> image = wall(1.25f);
  EXPECT_TRUE(isSame(KinectNoise(0.0, 1).apply(image, columns), image));
  KinectNoise first(1.0, 5), second(1.0, 5);
  const std::vector<float> noisy = first.apply(image, columns);
  EXPECT_TRUE(isSame(second.apply(image, columns), noisy));
  EXPECT_FALSE(isSame(first.apply(image, columns), noisy))
      << "the next one of the sequence";
  EXPECT_FALSE(isSame(KinectNoise(1.0, 6).apply(image, columns), noisy));
}

} // namespace

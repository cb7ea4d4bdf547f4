// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/noise_estimation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pcl::gpu;

namespace {

/** \brief Levels that are given by a function of the row and the column, with noise. */
template <typename Level>
ColorImage
noisy(int width, int height, float deviation, const Level& level)
{
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  ColorImage image;
  image.resize(width, height);
  const auto sample = [&](int row, int column) {
    const float value = level(row, column) + deviation * normal(generator);
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l));
  };
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      image.pixels[row * width + column] = {
          sample(row, column), sample(row, column), sample(row, column)};
  return image;
}

TEST(NoiseEstimation, FindsTheDeviationOnSlopes)
{
  const auto slope = [](int row, int column) {
    return 60.0f + 0.3f * row + 0.2f * column;
  };
  for (const float deviation : {0.5f, 1.0f, 2.0f, 5.0f, 10.0f, 15.0f})
    EXPECT_NEAR(estimateNoise(noisy(320, 240, deviation, slope)),
                deviation,
                0.03f * deviation + 0.03f);
}

TEST(NoiseEstimation, FindsNoneWhereThereIsNone)
{
  EXPECT_EQ(estimateNoise(noisy(64, 48, 0.0f, [](int, int) { return 100.0f; })), 0.0f);
  EXPECT_LT(estimateNoise(
                noisy(64, 48, 0.0f, [](int row, int) { return 10.0f + 3.3f * row; })),
            0.3f);
}

TEST(NoiseEstimation, HardlySeesEdges)
{
  const auto stripes = [](int row, int column) {
    return (row / 16 + column / 16) % 2 ? 70.0f : 180.0f;
  };
  EXPECT_NEAR(estimateNoise(noisy(320, 240, 8.0f, stripes)), 8.0f, 3.0f);
}

TEST(NoiseEstimation, LeavesOutLevelsThatAreCutOff)
{
  // A fifth is too bright for the sensor, a fifth is black.
  const auto cut = [](int row, int) {
    return row < 40 ? 400.0f : row < 80 ? -200.0f : 120.0f;
  };
  EXPECT_NEAR(estimateNoise(noisy(320, 200, 10.0f, cut)), 10.0f, 0.5f);
}

TEST(NoiseEstimation, IsZeroOfImagesThatTellNothing)
{
  EXPECT_EQ(estimateNoise({}), 0.0f);
  const auto grey = [](int, int) { return 128.0f; };
  EXPECT_EQ(estimateNoise(noisy(2, 100, 10.0f, grey)), 0.0f);
  EXPECT_EQ(estimateNoise(noisy(100, 2, 10.0f, grey)), 0.0f);
  const auto white = [](int, int) { return 500.0f; };
  EXPECT_EQ(estimateNoise(noisy(100, 100, 10.0f, white)), 0.0f);
}

} // namespace

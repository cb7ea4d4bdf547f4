// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <pcl/point_types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pcl::gpu::test {

/** \brief Areas of one colour, with noise of a deviation. */
inline Image<RGB>
noisyAreas(int rows, int columns, float sigma, unsigned int seed)
{
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0.0f, sigma);
  const auto level = [&](int base) {
    const float noisy = std::round(base + noise(random));
    return static_cast<std::uint8_t>(std::clamp(noisy, 0.0f, 255.0f));
  };
  Image<RGB> image(rows, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      const int area = u / 9 + 3 * (v / 7);
      RGB& color = image.at(v, u);
      color.r = level(40 + 37 * area % 180);
      color.g = level(30 + 71 * area % 200);
      color.b = level(60 + 23 * area % 150);
      color.a = random() % 256;
    }
  return image;
}

/** \brief Variances around that of a deviation, by some octaves up or down. */
inline Image<float>
randomVariances(int rows, int columns, float sigma, float octaves, unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> exponents(-octaves, octaves);
  Image<float> variances(rows, columns);
  for (float& variance : variances.data)
    variance = sigma * sigma * std::exp2(exponents(random));
  return variances;
}

} // namespace pcl::gpu::test

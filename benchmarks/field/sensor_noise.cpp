// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "sensor_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace benchmarks {

using pcl::gpu::test::Image;

namespace {

/** \brief Returns normal deviates whose neighbours are alike: independent ones that are
 * averaged with Gaussian weights.
 * \param[in] sigma of the weights, pixels; pixels that are d apart have a correlation
 * of exp(-d^2 / (4 sigma^2))
 */
Image<float>
smoothDeviates(int rows, int columns, float sigma, Random& random)
{
  // A coarse grid is enough for wide weights.
  const int stride = std::max(1, static_cast<int>(sigma / 3.0f));
  const int coarse_rows = rows / stride + 2, coarse_columns = columns / stride + 2;
  const float width = sigma / static_cast<float>(stride);
  const int radius = static_cast<int>(std::ceil(3.0f * width));
  std::vector<float> weights(2 * radius + 1);
  float squares = 0.0f;
  for (int i = -radius; i <= radius; ++i) {
    const float weight = std::exp(-0.5f * static_cast<float>(i * i) / (width * width));
    weights[i + radius] = weight;
    squares += weight * weight;
  }
  for (float& weight : weights)
    weight /= std::sqrt(squares);
  std::normal_distribution<float> normal;
  Image<float> independent(coarse_rows + 2 * radius, coarse_columns + 2 * radius);
  for (float& value : independent.data)
    value = normal(random);
  Image<float> by_rows(independent.rows, coarse_columns);
  for (int y = 0; y < by_rows.rows; ++y)
    for (int x = 0; x < coarse_columns; ++x) {
      float sum = 0.0f;
      for (int i = 0; i <= 2 * radius; ++i)
        sum += weights[i] * independent.at(y, x + i);
      by_rows.at(y, x) = sum;
    }
  Image<float> coarse(coarse_rows, coarse_columns);
  for (int y = 0; y < coarse_rows; ++y)
    for (int x = 0; x < coarse_columns; ++x) {
      float sum = 0.0f;
      for (int i = 0; i <= 2 * radius; ++i)
        sum += weights[i] * by_rows.at(y + i, x);
      coarse.at(y, x) = sum;
    }
  if (stride == 1 && coarse_columns == columns)
    return coarse;
  Image<float> smooth(rows, columns);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const int v = y / stride, u = x / stride;
      const float b = static_cast<float>(y % stride) / static_cast<float>(stride);
      const float a = static_cast<float>(x % stride) / static_cast<float>(stride);
      smooth.at(y, x) =
          (1.0f - b) * ((1.0f - a) * coarse.at(v, u) + a * coarse.at(v, u + 1)) +
          b * ((1.0f - a) * coarse.at(v + 1, u) + a * coarse.at(v + 1, u + 1));
    }
  return smooth;
}

} // namespace

Image<float>
withSensorNoise(const Image<float>& depth, Random& random, double factor)
{
  if (factor == 0.0)
    return depth;
  const int rows = depth.rows, columns = depth.columns;
  const auto deviates = [&](float sigma) {
    return smoothDeviates(rows, columns, sigma, random);
  };
  const auto scale = static_cast<float>(factor);
  const Image<float> right = deviates(3.0f), down = deviates(3.0f);
  const Image<float> wide = deviates(4.0f), narrow = deviates(1.2f);
  const Image<float> offset = deviates(60.0f), loss = deviates(2.0f);
  constexpr float jitter = 0.9f, step = 0.00285f;
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  // Slopes of pixels, as shares of the depth: of jumps, and of flat views.
  constexpr float jump = 0.03f, flattest = 0.012f;
  Image<float> noisy(rows, columns, nothing);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const int u = x + static_cast<int>(std::lround(scale * jitter * right.at(y, x)));
      const int v = y + static_cast<int>(std::lround(scale * jitter * down.at(y, x)));
      float z = std::numeric_limits<float>::infinity(), farthest = 0.0f;
      for (int j = std::max(0, v - 1); j <= std::min(rows - 1, v + 1); ++j)
        for (int i = std::max(0, u - 1); i <= std::min(columns - 1, u + 1); ++i) {
          const float seen = depth.at(j, i);
          if (!(seen > 0.0f))
            continue;
          // On a slope the middle is seen, and the nearest beyond a jump.
          if (seen < z)
            z = seen;
          farthest = std::max(farthest, seen);
        }
      if (!(farthest > 0.0f))
        continue;
      const bool is_jump = farthest - z > jump * z;
      const bool is_flat = !is_jump && farthest - z > 2.0f * flattest * z;
      if (is_flat || (is_jump && loss.at(y, x) > 2.0f))
        continue;
      if (!is_jump && v >= 0 && v < rows && u >= 0 && u < columns &&
          depth.at(v, u) > 0.0f)
        z = depth.at(v, u);
      const float square = scale * z * z;
      z += square * (2.2e-3f * wide.at(y, x) + 1.2e-3f * narrow.at(y, x) +
                     2.5e-3f * offset.at(y, x));
      const float steps = scale * step; // of 1 / z
      noisy.at(y, x) = 1.0f / (steps * std::round(1.0f / (steps * z)));
    }
  return noisy;
}

} // namespace benchmarks

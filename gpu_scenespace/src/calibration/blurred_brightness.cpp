// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/blurred_brightness.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Half of a Gaussian, from its centre. */
std::vector<float>
weightsOf(double sigma)
{
  std::vector<float> weights;
  for (int i = 0; i <= static_cast<int>(std::ceil(3.0 * sigma)); ++i)
    weights.push_back(static_cast<float>(std::exp(-0.5 * i * i / (sigma * sigma))));
  return weights;
}

Image<float>
transposed(const Image<float>& image)
{
  Image<float> result;
  result.resize(image.height, image.width);
  for (int v = 0; v < image.height; ++v)
    for (int u = 0; u < image.width; ++u)
      result.pixels[std::size_t(u) * image.height + v] =
          image.pixels[std::size_t(v) * image.width + u];
  return result;
}

/** \brief Blurs columns. Rows are added as a whole, which compilers make fast. */
Image<float>
blurredDown(const std::vector<float>& weights, const Image<float>& image)
{
  Image<float> result;
  result.resize(image.width, image.height);
  const int reach = static_cast<int>(weights.size()) - 1;
  for (int v = 0; v < image.height; ++v) {
    float* const sum = result.pixels.data() + std::size_t(v) * image.width;
    const int first = std::max(0, v - reach),
              last = std::min(image.height - 1, v + reach);
    float weight_sum = 0.0f;
    for (int other = first; other <= last; ++other)
      weight_sum += weights[std::abs(other - v)];
    for (int other = first; other <= last; ++other) {
      const float weight = weights[std::abs(other - v)] / weight_sum;
      const float* const row = image.pixels.data() + std::size_t(other) * image.width;
      for (int u = 0; u < image.width; ++u)
        sum[u] += weight * row[u];
    }
  }
  return result;
}

} // namespace

Image<float>
brightnessOf(const ColorImage& color)
{
  Image<float> brightness;
  brightness.resize(color.width, color.height);
  std::transform(color.pixels.begin(),
                 color.pixels.end(),
                 brightness.pixels.begin(),
                 [](const RGB& pixel) {
                   return 0.299f * pixel.r + 0.587f * pixel.g + 0.114f * pixel.b;
                 });
  return brightness;
}

BlurredBrightness::BlurredBrightness(const Image<float>& brightness, double sigma)
{
  const std::vector<float> weights = weightsOf(sigma);
  levels_ =
      transposed(blurredDown(weights, transposed(blurredDown(weights, brightness))));
}

} // namespace pcl::gpu

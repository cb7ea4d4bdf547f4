// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/noise_estimation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace pcl::gpu {

namespace {

/** \brief Number of occurrences of each absolute value of the filter. */
using Histogram = std::array<std::uint64_t, 8 * 255 + 1>;

/** \brief Adds the values of one channel.
 * \param[in] channel member of RGB
 */
void
addChannel(const ColorImage& image, std::uint8_t RGB::*channel, Histogram& histogram)
{
  constexpr int weights[3][3] = {{1, -2, 1}, {-2, 4, -2}, {1, -2, 1}};
  for (int row = 1; row + 1 < image.height; ++row)
    for (int column = 1; column + 1 < image.width; ++column) {
      const RGB* corner =
          &image.pixels[std::size_t(row - 1) * image.width + column - 1];
      int sum = 0, least = 255, most = 0;
      for (int i = 0; i < 3; ++i, corner += image.width)
        for (int j = 0; j < 3; ++j) {
          const int level = corner[j].*channel;
          sum += weights[i][j] * level;
          least = std::min(least, level);
          most = std::max(most, level);
        }
      if (least > 0 && most < 255)
        ++histogram[std::abs(sum)];
    }
}

/** \brief Returns the median, as if values were spread evenly over half a unit to each
 * side. */
double
medianOf(const Histogram& histogram)
{
  double count = 0.0;
  for (const std::uint64_t values : histogram)
    count += static_cast<double>(values);
  double below = 0.0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const auto here = static_cast<double>(histogram[i]);
    if (here > 0.0 && below + here >= 0.5 * count) {
      const double width = i == 0 ? 0.5 : 1.0, begin = i == 0 ? 0.0 : i - 0.5;
      return begin + width * (0.5 * count - below) / here;
    }
    below += here;
  }
  return 0.0;
}

} // namespace

float
estimateNoise(const ColorImage& image)
{
  Histogram histogram{};
  for (const auto channel : {&RGB::r, &RGB::g, &RGB::b})
    addChannel(image, channel, histogram);
  // The filter's weights have a norm of 6; half of a normal distribution is within
  // 0.6745 deviations. Rounding to levels has a variance of 1/12.
  const double deviation = medianOf(histogram) / (6.0 * 0.674489750196);
  return static_cast<float>(
      std::sqrt(std::max(0.0, deviation * deviation - 1.0 / 12.0)));
}

} // namespace pcl::gpu

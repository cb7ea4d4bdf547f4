// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

constexpr double jitter = 0.5;             // pixels
constexpr double axial_error = 1.425e-3;   // of 1 / z, 1 / metres
constexpr double disparity_step = 0.00285; // of 1 / z, 1 / metres

} // namespace

KinectNoise::KinectNoise(double factor, std::uint64_t seed)
: random_(seed)
, factor_(factor)
{}

double
KinectNoise::deviate()
{
  constexpr double turn = 6.283185307179586;
  // Above 0, so that the logarithm is finite.
  const double radius = (static_cast<double>(random_() >> 11) + 1.0) * 0x1p-53;
  const double angle = turn * static_cast<double>(random_() >> 11) * 0x1p-53;
  return std::sqrt(-2.0 * std::log(radius)) * std::cos(angle);
}

std::vector<float>
KinectNoise::apply(const std::vector<float>& depth, int columns)
{
  if (factor_ == 0.0)
    return depth;
  const int rows = static_cast<int>(depth.size()) / columns;
  std::vector<float> noisy(depth.size());
  float* pixel = noisy.data();
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u, ++pixel) {
      const double column = std::round(u + jitter * factor_ * deviate());
      const double row = std::round(v + jitter * factor_ * deviate());
      const double error = axial_error * factor_ * deviate();
      *pixel = std::numeric_limits<float>::quiet_NaN();
      if (!(column >= 0.0 && row >= 0.0 && column < columns && row < rows))
        continue;
      const auto seen =
          static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
      const double z = depth[seen];
      const double step = disparity_step * factor_;
      const double steps = std::round((1.0 / (z + error * z * z)) / step);
      if (steps >= 1.0) // not of a missing depth either
        *pixel = static_cast<float>(1.0 / (steps * step));
    }
  return noisy;
}

} // namespace pcl::gpu

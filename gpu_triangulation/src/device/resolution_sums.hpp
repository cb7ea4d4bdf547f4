// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>

namespace pcl {
namespace device {

/** \brief Count, sum and sum of squares of one quantity. */
struct MeanSums {
  double count, sum, squares;
};

/** \brief What a part of the frame adds to its ResolutionStatistics. */
struct ResolutionSums {
  MeanSums distance, angle;
};

PCL_GPU_HOST_DEVICE MeanSums
operator+(const MeanSums& a, const MeanSums& b)
{
  return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
}

PCL_GPU_HOST_DEVICE ResolutionSums
operator+(const ResolutionSums& a, const ResolutionSums& b)
{
  return {a.distance + b.distance, a.angle + b.angle};
}

PCL_GPU_HOST_DEVICE float
mean(const MeanSums& sums)
{
  return static_cast<float>(sums.sum / sums.count);
}

PCL_GPU_HOST_DEVICE float
deviation(const MeanSums& sums)
{
  const double m = sums.sum / sums.count;
  const double variance = sums.squares / sums.count - m * m;
  // Rounding may leave a little less than nothing; NaN stays NaN.
  return static_cast<float>(sqrt(variance < 0.0 ? 0.0 : variance));
}

PCL_GPU_HOST_DEVICE gpu::ResolutionStatistics
statisticsOf(const ResolutionSums& sums)
{
  return {mean(sums.distance),
          deviation(sums.distance),
          mean(sums.angle),
          deviation(sums.angle),
          static_cast<unsigned int>(sums.distance.count),
          static_cast<unsigned int>(sums.angle.count)};
}

} // namespace device
} // namespace pcl

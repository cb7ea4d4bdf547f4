// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstddef>

struct CUstream_st;

namespace pcl::device {

using gpu::ResolutionStatistics;

/** \brief A cloud whose resolution is to be measured. */
struct ResolutionTask {
  PtrStepSz<const Float4> cloud;
  PtrStepSz<const Float4> normals; ///< null to measure distances only
  int neighbors;                   ///< 4 or 8
  int row_step, column_step;       ///< other rows and columns are left out
  int rows, columns;               ///< of the pixels that are left
  float viewpoint[3];
  ResolutionStatistics* statistics;
  void* scratch; ///< of resolutionScratchBytes(), kept from run to run
};

namespace host {

std::size_t
resolutionScratchBytes(const ResolutionTask& task);

void
measureResolution(const ResolutionTask& task);

} // namespace host

namespace cuda {

std::size_t
resolutionScratchBytes(const ResolutionTask& task);

void
measureResolution(const ResolutionTask& task, CUstream_st* stream);

} // namespace cuda

/** \brief Count, sum and sum of squares of one quantity. */
struct MeanSums {
  double count, sum, squares;
};

/** \brief Sums over a part of the frame, for its ResolutionStatistics. */
struct alignas(16) ResolutionSums {
  MeanSums spacing, angle;
  double nearest; ///< distances from the nearest neighbours
};

PCL_GPU_HOST_DEVICE MeanSums
operator+(const MeanSums& a, const MeanSums& b)
{
  return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
}

PCL_GPU_HOST_DEVICE ResolutionSums
operator+(const ResolutionSums& a, const ResolutionSums& b)
{
  return {a.spacing + b.spacing, a.angle + b.angle, a.nearest + b.nearest};
}

/** \brief Mean and standard deviation; NaN if there is nothing to take them of. */
struct Spread {
  float mean, deviation;
};

PCL_GPU_HOST_DEVICE Spread
spreadOf(const MeanSums& sums)
{
  const double inverse_count = 1.0 / sums.count;
  const double mean = sums.sum * inverse_count;
  const float variance = static_cast<float>(sums.squares * inverse_count - mean * mean);
  // Rounding may leave a little less than nothing; NaN stays NaN.
  return {static_cast<float>(mean), sqrtf(variance < 0.0f ? 0.0f : variance)};
}

PCL_GPU_HOST_DEVICE ResolutionStatistics
statisticsOf(const ResolutionSums& sums)
{
  const Spread spacing = spreadOf(sums.spacing);
  const Spread angle = spreadOf(sums.angle);
  return {spacing.mean,
          spacing.deviation,
          static_cast<float>(sums.nearest / sums.spacing.count),
          angle.mean,
          angle.deviation,
          static_cast<unsigned int>(sums.spacing.count),
          static_cast<unsigned int>(sums.angle.count)};
}

} // namespace pcl::device

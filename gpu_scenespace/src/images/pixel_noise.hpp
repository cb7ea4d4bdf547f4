// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"
#include "images/non_local_means.h"

#include <pcl/gpu/utils/internal/device/element_math.hpp>

namespace pcl::device {

/** \brief A pixel as others see it. */
struct NoisyPixel {
  PackedColor color; ///< without alpha
  float variance;    ///< levels^2, min_variance to max_variance
  float worth;       ///< factor of weights: 0 where the pixel is not used
};

/** \brief The variance that counts. */
PCL_GPU_HOST_DEVICE float
countedVariance(float variance)
{
  if (!isFinite(variance) || variance > max_variance)
    return max_variance;
  return variance > min_variance ? variance : min_variance;
}

/** \brief A pixel of the image, or one that patches see beyond its border.
 * \tparam varies whether there is a variance for each pixel
 */
template <bool varies>
PCL_GPU_HOST_DEVICE NoisyPixel
noisyPixel(const NonLocalMeansTask& task, int column, int row)
{
  const int last_column = task.color.cols - 1, last_row = task.color.rows - 1;
  const int x = column < 0 ? 0 : column > last_column ? last_column : column;
  const int y = row < 0 ? 0 : row > last_row ? last_row : row;
  const bool is_inside = x == column && y == row;
  const PackedColor color = task.color.ptr(y)[x] & color_bits;
  if (!varies)
    return {color, 0.0f, is_inside ? 1.0f : 0.0f};
  const float given = task.variance.ptr(y)[x], variance = countedVariance(given);
  const bool is_used = is_inside && isFinite(given);
  return {color, variance, is_used ? 1.0f / variance : 0.0f};
}

/** \brief Writes a pixel: the mean, unless its noise is zero or unknown. */
template <bool varies>
PCL_GPU_HOST_DEVICE void
writeMean(const NonLocalMeansTask& task, const ColorSum& sum, int column, int row)
{
  const PackedColor color = task.color.ptr(row)[column];
  bool has_noise = true;
  if (varies) {
    const float variance = task.variance.ptr(row)[column];
    has_noise = variance > 0.0f && isFinite(variance);
  }
  PtrStep<PackedColor> output = task.output;
  output.ptr(row)[column] = has_noise ? divided(sum, color) : color | 0xff000000u;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <cmath>
#include <cstdint>

namespace pcl::device {

/** \brief Kind of a pixel by its mask. */
constexpr std::uint8_t mask_background = 0, mask_margin = 1, mask_edge = 254,
                       mask_object = 255;

/** \brief Keeps the depth of pixels of one kind. */
struct MaskDepth {
  PtrStepSz<const float> depth; ///< metres
  PtrStep<const std::uint8_t> mask;
  std::uint8_t kept;
  PtrStep<float> masked; ///< NaN elsewhere

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const bool is_kept = mask.ptr(row)[column] == kept;
    rowOf(masked, row)[column] = is_kept ? depth.ptr(row)[column] : NAN;
  }
};

/** \brief Keeps the depth of pixels that are not beside something nearer. */
struct DropEdges {
  PtrStepSz<const float> depth; ///< metres
  PtrStep<float> kept;          ///< NaN beside something nearer
  int margin;                   ///< largest distance of the nearer thing, pixels

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float own = depth.ptr(row)[column];
    rowOf(kept, row)[column] = isBesideNearer(column, row, own) ? NAN : own;
  }

private:
  /** \brief Least difference from something nearer, as a part of the depth: more than a
   * pixel's step on any surface that is not seen along itself. */
  static constexpr float step = 0.05f;

  PCL_GPU_HOST_DEVICE bool
  isBesideNearer(int column, int row, float own) const
  {
    const int first_column = column < margin ? 0 : column - margin,
              first_row = row < margin ? 0 : row - margin;
    for (int y = first_row; y < depth.rows && y - row <= margin; ++y)
      for (int x = first_column; x < depth.cols && x - column <= margin; ++x) {
        const float other = depth.ptr(y)[x];
        if (gpu::isMeasuredDepth(other) && other < (1.0f - step) * own)
          return true;
      }
    return false;
  }
};

} // namespace pcl::device

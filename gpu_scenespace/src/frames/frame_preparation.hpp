// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Kind of a pixel by its mask. */
constexpr std::uint8_t mask_background = 0, mask_margin = 1, mask_edge = 254,
                       mask_object = 255;

/** \brief Keeps the depth of pixels of one kind. */
struct MaskDepth {
  const float* depth; ///< metres
  int depth_stride;   ///< pixels from row to row, as all others
  const std::uint8_t* mask;
  int mask_stride;
  std::uint8_t kept;
  float* masked; ///< NaN elsewhere
  int masked_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    const bool is_kept = mask[line * mask_stride + column] == kept;
    masked[line * masked_stride + column] =
        is_kept ? depth[line * depth_stride + column] : NAN;
  }
};

/** \brief Keeps the depth of pixels that are not beside something nearer. */
struct DropEdges {
  const float* depth; ///< metres
  int depth_stride;
  float* kept; ///< NaN beside something nearer
  int kept_stride;
  int columns, rows;
  int margin; ///< how far beside, pixels

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float own = depthAt(column, row);
    kept[static_cast<std::size_t>(row) * kept_stride + column] =
        isBesideNearer(column, row, own) ? NAN : own;
  }

private:
  /** \brief How much nearer, as a part of the depth: more than a pixel's step on any surface
   * that is not seen along itself. */
  static constexpr float step = 0.05f;

  PCL_GPU_HOST_DEVICE float
  depthAt(int column, int row) const
  {
    return depth[static_cast<std::size_t>(row) * depth_stride + column];
  }

  PCL_GPU_HOST_DEVICE bool
  isBesideNearer(int column, int row, float own) const
  {
    const int first_column = column < margin ? 0 : column - margin,
              first_row = row < margin ? 0 : row - margin;
    for (int y = first_row; y < rows && y - row <= margin; ++y)
      for (int x = first_column; x < columns && x - column <= margin; ++x) {
        const float other = depthAt(x, y);
        if (isDepth(other) && other < (1.0f - step) * own)
          return true;
      }
    return false;
  }
};

} // namespace pcl::device

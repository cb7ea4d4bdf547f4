// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl {
namespace device {

/** \brief Keeps a pixel's depth inside or outside a mask. */
struct MaskDepth {
  const float* depth; ///< metres
  int depth_stride;   ///< pixels from row to row, as all others
  const std::uint8_t* mask;
  int mask_stride;
  bool is_inside;
  float* masked; ///< NaN elsewhere
  int masked_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    const bool is_kept = (mask[line * mask_stride + column] != 0) == is_inside;
    masked[line * masked_stride + column] =
        is_kept ? depth[line * depth_stride + column] : NAN;
  }
};

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pcl::device {

/** \brief A depth map as it comes: raw units or metres. */
struct DepthInput {
  const void* data;
  std::size_t step; ///< bytes from row to row
  int rows;
  int columns;
  bool raw;    ///< uint16 if true, else float
  float scale; ///< metres for one unit

  /** \brief Returns a row of numbers as they are stored. */
  template <typename Stored>
  PCL_GPU_HOST_DEVICE const Stored*
  row(int y) const
  {
    return reinterpret_cast<const Stored*>(static_cast<const char*>(data) + y * step);
  }

  /** \brief Returns the depth of a pixel, metres, measured or not. */
  PCL_GPU_HOST_DEVICE float
  metres(int x, int y) const
  {
    return scale * (raw ? row<std::uint16_t>(y)[x] : row<float>(y)[x]);
  }
};

template <typename Stored>
DepthInput
depthInput(const PtrStepSz<const Stored>& depth, float scale)
{
  constexpr bool raw = std::is_same_v<Stored, std::uint16_t>;
  return {depth.data, depth.step, depth.rows, depth.cols, raw, scale};
}

} // namespace pcl::device

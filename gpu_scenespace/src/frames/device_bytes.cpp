// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/device_bytes.h"

namespace pcl::gpu {

std::size_t
paddedPixels(int width, int height)
{
  return (std::size_t(width) + 127) / 128 * 128 * height;
}

std::size_t
arrayMemory(std::size_t bytes)
{
  constexpr std::size_t piece = std::size_t(1) << 21, small_piece = 512;
  const std::size_t size = bytes >= piece / 2 ? piece : small_piece;
  return (bytes + size - 1) / size * size;
}

} // namespace pcl::gpu

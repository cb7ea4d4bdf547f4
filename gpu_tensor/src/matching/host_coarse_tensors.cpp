// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching/host_coarse_tensors.h"

#include <algorithm>
#include <limits>

namespace pcl::device {

float
host::coarsen(const TensorView& tensors, int tensor, std::uint8_t* coarse)
{
  const int count = tensors.entryCount(tensor);
  const float* const areas = tensors.areas + tensors.start(tensor);
  float low = std::numeric_limits<float>::infinity(), high = 0.0f;
  for (int i = 0; i < count; ++i) {
    low = std::min(low, areas[i]);
    high = std::max(high, areas[i]);
  }
  // 0 is left for empty voxels.
  const CoarseScale scale(low, high, 126.0f);
  float squares = 0.0f;
  for (int i = 0; i < count; ++i)
    coarse[i] = static_cast<std::uint8_t>(1.0f + scale.round(areas[i], squares));
  return scale.error(squares);
}

void
host::countInCells(const TensorView& tensors, int tensor, CellCounts& counts)
{
  counts = {};
  for (std::uint32_t i = tensors.start(tensor); i < tensors.start(tensor + 1); ++i)
    ++counts.of[tensors.voxels[i] / cell_voxels];
}

void
host::setBits(const TensorView& tensors, int tensor, int words, std::uint32_t* bits)
{
  std::fill(bits, bits + words, 0u);
  for (std::uint32_t i = tensors.start(tensor); i < tensors.start(tensor + 1); ++i)
    bits[tensors.voxels[i] / 32] |= 1u << (tensors.voxels[i] % 32);
}

std::uint32_t
host::fillGrid(const TensorView& tensors,
               int tensor,
               const std::uint8_t* coarse,
               const std::uint32_t* occupancy,
               int words,
               std::uint8_t* grid)
{
  std::uint32_t filled = 0;
  for (int word = 0; word < words; ++word)
    filled |= std::uint32_t(occupancy[word] != 0) << word;
  if (filled == 0)
    return 0;
  std::fill(grid + __builtin_ctz(filled) * word_voxels,
            grid + (32 - __builtin_clz(filled)) * word_voxels,
            std::uint8_t(0));
  const std::uint16_t* const voxels = tensors.voxels + tensors.start(tensor);
  const int count = tensors.entryCount(tensor);
  for (int i = 0; i < count; ++i)
    grid[voxels[i]] = coarse[i];
  return filled;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/coefficient_bounds.hpp"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <cmath>

// Coarse tensors, four voxels a word; see coefficient_bounds.hpp.

namespace pcl::device::cuda {

constexpr int word_voxels = 4;
/** \brief Words of the largest grid that is coarsened. */
constexpr int coarse_grid_words = 256;
/** \brief Lanes that compare two coarse tensors, words that each of them reads at a
 * time, and words that all of them do. */
constexpr int coarse_group_lanes = 4;
constexpr int coarse_lane_words = 4;
constexpr int coarse_step = coarse_group_lanes * coarse_lane_words;

static_assert(coarse_grid_words * word_voxels == max_coarse_voxels, "any coarse grid");

/** \brief A tensor in a coarse table, without its words. */
struct alignas(16) CoarseTensor {
  std::uint32_t step; ///< place of its first step among those of all
  int steps;
  int entries; ///< voxels that are not empty
  float error; ///< see CoarseScale::error()
};

/** \brief The words of a table's tensors that are not 0, in whole steps. The words that
 * a lane reads in a step are neighbours. */
struct CoarseTable {
  CoarseTensor* tensors;
  uint4* areas;
  ushort4* offsets; ///< bytes from the grid's first word to each
  std::size_t bytes;

  CoarseTable(int count, std::uint32_t entries, void* memory)
  {
    ScratchPieces pieces(memory);
    const std::size_t steps = entries / coarse_step + std::size_t(count) + 1;
    tensors = pieces.take<CoarseTensor>(count);
    areas = pieces.take<uint4>(steps * coarse_group_lanes);
    offsets = pieces.take<ushort4>(steps * coarse_group_lanes);
    bytes = pieces.bytes();
  }
};

/** \brief Adds up sums over groups of neighbouring lanes; all lanes of a warp call.
 * \tparam Lanes of a group
 */
template <int Lanes, typename... Number>
__device__ __forceinline__ void
addOverLanes(Number&... sums)
{
#pragma unroll
  for (int distance = 1; distance < Lanes; distance *= 2)
    ((sums += __shfl_xor_sync(all_lanes, sums, distance)), ...);
}

/** \brief Finds the smallest or largest of the values of all lanes. */
template <typename Choice>
__device__ float
chooseOverWarp(float value, const Choice& choose)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value = choose(value, __shfl_xor_sync(all_lanes, value, distance));
  return value;
}

/** \brief Scales and rounds a tensor's areas to whole numbers; a warp calls.
 *
 * A byte is 0 where a voxel is empty, and from 128 to 255 where it is not.
 * \param[out] words shared memory, of all voxels
 * \return see CoarseScale::error()
 */
__device__ inline float
coarsen(const TensorView& tensors, int tensor, std::uint32_t* words)
{
  const int lane = threadIdx.x % warp_size;
  const std::uint32_t begin = tensors.start(tensor), end = tensors.start(tensor + 1);
  for (int i = lane; i < coarse_grid_words; i += warp_size)
    words[i] = 0;
  float low = INFINITY, high = 0.0f;
  for (std::uint32_t i = begin + lane; i < end; i += warp_size) {
    low = fminf(low, tensors.areas[i]);
    high = fmaxf(high, tensors.areas[i]);
  }
  low = chooseOverWarp(low, [](float a, float b) { return fminf(a, b); });
  high = chooseOverWarp(high, [](float a, float b) { return fmaxf(a, b); });
  const CoarseScale scale(low, high, 127.0f);
  __syncwarp();
  float squares = 0.0f;
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(words);
  for (std::uint32_t i = begin + lane; i < end; i += warp_size) {
    const float whole = scale.round(tensors.areas[i], squares);
    bytes[tensors.voxels[i]] = static_cast<unsigned char>(128.0f + whole);
  }
  squares = chooseOverWarp(squares, [](float a, float b) { return a + b; });
  __syncwarp();
  return scale.error(squares);
}

} // namespace pcl::device::cuda

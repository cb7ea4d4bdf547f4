// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

// The boxes around those of the threads of a warp, a block or a whole grid.

namespace pcl::device::cuda {

/** \brief The box around those of lanes whose numbers differ in bits first..last
 * only. */
__device__ inline Box
unite(Box box, int first, int last)
{
  for (int distance = first; distance <= last; distance *= 2) {
    Box other;
    for (int i = 0; i < 3; ++i) {
      other.least[i] = __shfl_xor_sync(all_lanes, box.least[i], distance);
      other.most[i] = __shfl_xor_sync(all_lanes, box.most[i], distance);
    }
    include(box, other);
  }
  return box;
}

/** \brief The box around those of a block's threads, known to the first warp. */
template <int threads>
__device__ Box
uniteOverBlock(const Box& box)
{
  constexpr int warps = threads / warp_size;
  __shared__ Box of_warps[warps];
  const Box of_warp = unite(box, 1, warp_size / 2);
  if (threadIdx.x % warp_size == 0)
    of_warps[threadIdx.x / warp_size] = of_warp;
  __syncthreads();
  return unite(of_warps[threadIdx.x % warps], 1, warps / 2);
}

/** \brief The box around those of all threads of a grid.
 * \param[in] partial one for each block
 * \param[in,out] ticket zero before the grid starts and again when it ends
 * \param[out] all known to the first warp of the last block
 * \return whether this is the last block
 */
template <int threads>
__device__ bool
uniteOverGrid(const Box& box, Box* partial, unsigned int* ticket, Box& all)
{
  const Box of_block = uniteOverBlock<threads>(box);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = of_block;
  if (!isLastBlock(ticket))
    return false;
  Box own = emptyBox();
  for (unsigned int i = threadIdx.x; i < gridDim.x; i += threads)
    include(own, partial[i]);
  all = uniteOverBlock<threads>(own);
  return true;
}

} // namespace pcl::device::cuda

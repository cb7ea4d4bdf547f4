// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/lists.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <cub/device/device_scan.cuh>

#include <cstddef>

// Lists that kernels fill.

namespace pcl::device::cuda {

/** \brief Adds the calling threads to the numbers of lists, with one operation for all
 * threads of a warp that name one list. All threads of the warp must call.
 * \param[in] list its number
 * \param[in] adds false to add nothing; so do all threads that name the same number
 * \return the list's number before this thread was added
 */
template <typename Number>
__device__ std::uint32_t
addToList(std::uint32_t* numbers, Number list, bool adds)
{
  const int lane = threadIdx.x % warp_size;
  const unsigned int peers = __match_any_sync(all_lanes, list);
  const int leader = __ffs(peers) - 1;
  std::uint32_t before = 0;
  if (lane == leader && adds)
    before = atomicAdd(numbers + list, __popc(peers));
  return __shfl_sync(all_lanes, before, leader) + lanesBefore(peers, lane);
}

/** \brief Turns the lengths of lists into their starts, each behind the list before.
 * Lists for which there is no room start at its end.
 * \param[in] memory null to ask for the size
 */
inline void
findListStarts(void* memory,
               std::size_t& bytes,
               std::uint32_t* lists,
               std::size_t count,
               std::uint32_t room,
               cudaStream_t stream)
{
  checkCuda(cub::DeviceScan::ExclusiveScan(
                memory, bytes, lists, lists, SumWithinRoom{room}, 0u, count, stream),
            "adding up the lengths of lists");
}

} // namespace pcl::device::cuda

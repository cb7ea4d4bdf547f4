// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cuda_runtime_api.h>

namespace pcl::device {

constexpr int warp_size = 32;

/** \brief The mask of a whole warp. */
constexpr unsigned int all_lanes = 0xffffffffu;

/** \brief Returns whether the calling block is the last of its grid to call this.
 *
 * Earlier writes to global memory by the first threads of all blocks are visible to all
 * its threads afterwards. All threads of a block must call.
 * \param[in,out] ticket zero before the grid starts and again when it ends
 */
__device__ inline bool
isLastBlock(unsigned int* ticket)
{
  __shared__ bool last;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    __threadfence();
    last = atomicAdd(ticket, 1u) == blocks - 1;
    __threadfence();
    if (last)
      *ticket = 0;
  }
  __syncthreads();
  return last;
}

/** \brief Returns the sum of the values of a warp's threads. All of them must call.
 * \param[in] value the thread's addend
 */
__device__ inline int
sumOverWarp(int value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(all_lanes, value);
#else
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

/** \brief Returns the largest value of a warp's threads. All of them must call.
 * \param[in] value the thread's value, an integer of 32 bits
 */
template <typename Integer>
__device__ inline Integer
maxOverWarp(Integer value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_max_sync(all_lanes, value);
#else
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value = max(value, __shfl_xor_sync(all_lanes, value, distance));
  return value;
#endif
}

/** \brief Returns the sum of the values of a warp's thread and those before it. All
 * threads of the warp must call.
 * \param[in] value the thread's value, an integer of 32 bits
 * \param[in] lane of the thread
 */
template <typename Integer>
__device__ inline Integer
inclusiveSumOverWarp(Integer value, int lane)
{
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const Integer before = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance)
      value += before;
  }
  return value;
}

/** \brief Returns the number of those of some lanes that come before one.
 * \param[in] lanes a bit for each
 */
__device__ inline int
lanesBefore(unsigned int lanes, int lane)
{
  return __popc(lanes & ((1u << lane) - 1));
}

__host__ __device__ inline int
divideUp(int total, int part)
{
  return (total + part - 1) / part;
}

} // namespace pcl::device

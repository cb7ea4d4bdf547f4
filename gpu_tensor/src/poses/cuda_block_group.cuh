// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/model_pose.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device::cuda {

/** \brief Threads that work on a candidate. */
constexpr int candidate_threads = 256;

/** \brief All threads of a block. */
class BlockGroup {
public:
  /** \brief The most numbers that are added up at a time. */
  static constexpr int max_sums = 28;

  /** \param[in] partial room for max_sums numbers of every warp, in shared memory */
  __device__ explicit BlockGroup(float* partial) : partial_(partial) {}

  __device__ int
  rank() const
  {
    return threadIdx.x;
  }

  __device__ int
  size() const
  {
    return blockDim.x;
  }

  template <int Count>
  __device__ void
  sum(float (&values)[Count]) const
  {
    static_assert(Count <= max_sums, "there is no room for more");
    const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      for (int distance = warp_size / 2; distance > 0; distance /= 2)
        values[i] += __shfl_xor_sync(all_lanes, values[i], distance);
      if (lane == 0)
        partial_[warp * max_sums + i] = values[i];
    }
    __syncthreads();
    if (threadIdx.x < Count) {
      float sum = partial_[threadIdx.x];
      for (int other = 1; other < blockDim.x / warp_size; ++other)
        sum += partial_[other * max_sums + threadIdx.x];
      partial_[threadIdx.x] = sum;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Count; ++i)
      values[i] = partial_[i];
    __syncthreads();
  }

  __device__ void
  keepNearest(ViewDirection& nearest) const
  {
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      nearest.keepNearer({__shfl_xor_sync(all_lanes, nearest.along, distance),
                          __shfl_xor_sync(all_lanes, nearest.number, distance)});
    const int warps = blockDim.x / warp_size;
    if (threadIdx.x % warp_size == 0) {
      partial_[threadIdx.x / warp_size] = nearest.along;
      partial_[warps + threadIdx.x / warp_size] = __int_as_float(nearest.number);
    }
    __syncthreads();
    for (int warp = 0; warp < warps; ++warp)
      nearest.keepNearer({partial_[warp], __float_as_int(partial_[warps + warp])});
    __syncthreads();
  }

  __device__ void
  wait() const
  {
    __syncthreads();
  }

private:
  float* partial_;
};

} // namespace pcl::device::cuda

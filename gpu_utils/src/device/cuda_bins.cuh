// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cstdint>

// Where the bins of a list that has been split begin, and what they count.

namespace pcl {
namespace device {

constexpr int block_threads = 256;

/** \brief The bins of a list that was split in one pass. */
__global__ void
__launch_bounds__(block_threads) readBinsKernel(const std::uint32_t* places,
                                                std::uint32_t tiles,
                                                std::uint32_t digits,
                                                std::uint32_t size,
                                                std::uint32_t bins,
                                                std::uint32_t* counts,
                                                std::uint32_t* starts)
{
  waitForPreviousKernel();
  const std::uint32_t bin = blockIdx.x * block_threads + threadIdx.x;
  if (bin > bins)
    return;
  const auto startOf = [&](std::uint32_t b) {
    return b < digits ? min(places[b * tiles], size) : size;
  };
  starts[bin] = startOf(bin);
  if (bin < bins)
    counts[bin] = startOf(bin + 1) - startOf(bin);
}

/** \brief Notes where the keys of a list in its order change. */
__global__ void
__launch_bounds__(block_threads) findChangesKernel(const std::uint32_t* keys,
                                                   std::uint32_t size,
                                                   std::uint32_t bins,
                                                   std::uint32_t* ends,
                                                   std::uint32_t* starts)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i > size)
    return;
  const std::uint32_t none = bins;
  const std::uint32_t before = i > 0 ? min(keys[i - 1], none) : none;
  const std::uint32_t behind = i < size ? min(keys[i], none) : none;
  if (before == behind)
    return;
  if (before < bins)
    ends[before] = i;
  if (behind < bins)
    starts[behind] = i;
}

/** \brief Turns ends into counts, and gives empty bins the place of the next element. */
__global__ void
__launch_bounds__(block_threads) completeBinsKernel(const std::uint32_t* keys,
                                                    std::uint32_t size,
                                                    std::uint32_t bins,
                                                    std::uint32_t* counts,
                                                    std::uint32_t* starts)
{
  waitForPreviousKernel();
  const std::uint32_t bin = blockIdx.x * block_threads + threadIdx.x;
  if (bin > bins)
    return;
  if (bin == bins) {
    starts[bin] = size;
    return;
  }
  if (counts[bin] > 0) {
    counts[bin] -= starts[bin];
    return;
  }
  std::uint32_t begin = 0, end = size;
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (keys[middle] < bin)
      begin = middle + 1;
    else
      end = middle;
  }
  starts[bin] = begin;
}

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cstddef>
#include <cstdint>

// What is done to lists before and after their elements are moved: bins are numbered, and
// where they begin and what they count is found.

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

/** \brief The last of the numbers before \a end that is no larger than \a value. */
__device__ inline std::uint32_t
lastNotAbove(const std::uint32_t* numbers, std::uint32_t end, std::uint32_t value)
{
  std::uint32_t begin = 0;
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (numbers[middle] <= value)
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

__global__ void
__launch_bounds__(block_threads) numberBinsKernel(const std::uint32_t* keys,
                                                  std::uint32_t size,
                                                  std::uint32_t bins,
                                                  const std::uint32_t* segment_starts,
                                                  std::uint32_t segments,
                                                  std::uint32_t* numbered)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < size)
    numbered[i] = lastNotAbove(segment_starts, segments, i) * bins + keys[i];
}

__global__ void
__launch_bounds__(block_threads) findElementsKernel(const std::uint32_t* key_starts,
                                                    std::uint32_t elements,
                                                    std::uint32_t keys,
                                                    std::uint32_t* element_of_key)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < keys)
    element_of_key[i] = lastNotAbove(key_starts, elements, i);
}

/** \brief Fetches payloads of any size. */
__global__ void
__launch_bounds__(block_threads) gatherKernel(const std::uint32_t* order,
                                              std::uint32_t size,
                                              const char* from,
                                              std::size_t bytes,
                                              char* to)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= size)
    return;
  const char* const element = from + order[i] * bytes;
  for (std::size_t byte = 0; byte < bytes; ++byte)
    to[i * bytes + byte] = element[byte];
}

__global__ void
__launch_bounds__(block_threads)
    countUpKernel(std::uint32_t* numbers, std::uint32_t size)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < size)
    numbers[i] = i;
}

} // namespace device
} // namespace pcl

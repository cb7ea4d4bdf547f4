// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "split.h"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device {

constexpr int element_threads = 256;

template <typename Functor>
__global__ void
__launch_bounds__(element_threads) forEachKernel(Functor functor, std::uint32_t size)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * element_threads + threadIdx.x;
  if (i < size)
    functor(i);
}

/** \brief Calls a functor with the number of every element, in a thread of its own. */
template <typename Functor>
void
launchForEach(const char* name,
              std::size_t size,
              const Functor& functor,
              cudaStream_t stream)
{
  if (size == 0)
    return;
  const dim3 blocks(
      static_cast<unsigned int>((size + element_threads - 1) / element_threads));
  launchOverlapping(name, blocks, dim3(element_threads), stream)(
      forEachKernel<Functor>, functor, size);
}

/** \brief Finds the bins of a list that is sorted, or empty. */
void
findBins(const SplitTask& task, cudaStream_t stream);

/** \brief Split by digits of few bits, the lowest first, with little shared memory.
 * The list must not be empty. */
template <typename Payload>
struct DigitSplit {
  static std::size_t
  scratchBytes(const SplitTask& task);

  static void
  split(const SplitTask& task, cudaStream_t stream);
};

/** \brief Split by a digit of up to eleven bits. If keys have more, each resulting
 * bucket is split by itself, in shared memory if it fits. For many bins, on devices
 * whose blocks may have much shared memory. The list must not be empty. */
template <typename Payload>
struct BucketSplit {
  /** \brief Returns whether this split, rather than DigitSplit, is for so many bins on
   * the current device. */
  static bool
  suits(std::uint32_t bins);

  static std::size_t
  scratchBytes(const SplitTask& task);

  static void
  split(const SplitTask& task, cudaStream_t stream);
};

} // namespace pcl::device

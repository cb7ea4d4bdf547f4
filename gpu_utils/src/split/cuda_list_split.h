// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "split.h"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device {

/** \brief Rounds up the size of a part of scratch memory. */
constexpr std::size_t
aligned(std::size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

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

/** \brief Sets the bins of an empty list: all counts and starts are 0. */
inline void
clearBins(const SplitTask& task, cudaStream_t stream)
{
  const std::size_t bytes = sizeof(std::uint32_t) * std::size_t(task.bins);
  checkCuda(cudaMemsetAsync(task.counts, 0, bytes, stream), "clearing bins' counts");
  checkCuda(cudaMemsetAsync(task.starts, 0, bytes + sizeof(std::uint32_t), stream),
            "clearing bins' starts");
}

/** \brief Split by digits of few bits, the lowest first, with little shared memory. */
template <typename Payload>
struct DigitSplit {
  static std::size_t
  scratchBytes(const SplitTask& task);

  static void
  split(const SplitTask& task, cudaStream_t stream);
};

/** \brief Split by a digit of up to eleven bits. If keys have more, each resulting
 * bucket is split by itself, in shared memory if it fits. For many bins, on devices
 * whose blocks may have much shared memory. */
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

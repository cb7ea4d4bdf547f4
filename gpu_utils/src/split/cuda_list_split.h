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

/** \brief Launches a kernel with a thread for every element. */
template <typename... Parameters, typename... Arguments>
void
launchForEach(const char* name,
              void (*kernel)(Parameters...),
              std::size_t elements,
              cudaStream_t stream,
              const Arguments&... arguments)
{
  launchOverlapping(name,
                    kernel,
                    dim3(static_cast<unsigned int>((elements + element_threads - 1) /
                                                   element_threads)),
                    dim3(element_threads),
                    0,
                    stream,
                    arguments...);
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

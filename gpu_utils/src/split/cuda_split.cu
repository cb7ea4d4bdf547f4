// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_list_split.h"
#include "cuda_split_lists.cuh"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

namespace pcl::device {

namespace {

struct NumberBins {
  SegmentBins task;

  __device__ void
  operator()(std::uint32_t i) const
  {
    const std::uint32_t segment =
        lastNotAbove([&](std::uint32_t n) { return task.segment_starts[n]; },
                     static_cast<std::uint32_t>(task.segments),
                     i);
    task.numbered[i] = segment * task.bins + (task.keys ? task.keys[i] : 0);
  }
};

/** \brief Finds the bins of a sorted list. */
struct FindBins {
  SplitTask task;

  __device__ void
  operator()(std::uint32_t bin) const
  {
    const auto size = static_cast<std::uint32_t>(task.size);
    const auto key = [&](std::uint32_t i) { return task.split_keys[i]; };
    const std::uint32_t start = numberBelow(key, size, bin);
    if (bin == task.bins.bins)
      task.bins.starts[bin] = size;
    else
      task.bins.set(bin, numberBelow(key, size, bin + 1) - start, start);
  }
};

} // namespace

void
findBins(const SplitTask& task, cudaStream_t stream)
{
  launchForEach(
      "findBinsKernel", std::size_t(task.bins.bins) + 1, FindBins{task}, stream);
}

namespace cuda {

std::size_t
splitScratchBytes(const SplitTask& task)
{
  return withPayload<unsigned long long, uint4>(task, [&](auto payload) {
    using Payload = decltype(payload);
    return BucketSplit<Payload>::suits(task.bins.bins)
               ? BucketSplit<Payload>::scratchBytes(task)
               : DigitSplit<Payload>::scratchBytes(task);
  });
}

void
split(const SplitTask& task, cudaStream_t stream)
{
  if (task.size == 0)
    return findBins(task, stream);
  withPayload<unsigned long long, uint4>(task, [&](auto payload) {
    using Payload = decltype(payload);
    if (BucketSplit<Payload>::suits(task.bins.bins))
      BucketSplit<Payload>::split(task, stream);
    else
      DigitSplit<Payload>::split(task, stream);
  });
}

void
numberBins(const SegmentBins& task, cudaStream_t stream)
{
  launchForEach("numberBinsKernel", task.size, NumberBins{task}, stream);
}

} // namespace cuda

} // namespace pcl::device

PCL_GPU_INSTANTIATE_LOOP(pcl::device::CountUp);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::Gather);

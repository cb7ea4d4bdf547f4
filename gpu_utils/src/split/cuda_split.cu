// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_list_split.h"
#include "cuda_split_lists.cuh"

namespace pcl::device {

namespace {

struct NumberBins {
  SegmentBins task;

  __device__ void
  operator()(std::uint32_t i) const
  {
    task.numbered[i] =
        lastNotAbove([&](std::uint32_t n) { return task.segment_starts[n]; },
                     static_cast<std::uint32_t>(task.segments),
                     i) *
            task.bins +
        task.keys[i];
  }
};

struct FindElements {
  KeyElements task;

  __device__ void
  operator()(std::uint32_t i) const
  {
    task.element_of_key[i] =
        lastNotAbove([&](std::uint32_t n) { return task.key_starts[n]; },
                     static_cast<std::uint32_t>(task.elements),
                     i);
  }
};

/** \brief Fetches payloads of any size. */
struct Gather {
  const std::uint32_t* order;
  const char* from;
  std::size_t bytes;
  char* to;

  __device__ void
  operator()(std::uint32_t i) const
  {
    const char* const element = from + order[i] * bytes;
    for (std::size_t byte = 0; byte < bytes; ++byte)
      to[i * bytes + byte] = element[byte];
  }
};

struct CountUp {
  std::uint32_t* numbers;

  __device__ void
  operator()(std::uint32_t i) const
  {
    numbers[i] = i;
  }
};

std::size_t
listBytes(const SplitTask& task)
{
  return withPayload<unsigned long long, uint4>(task, [&](auto payload) {
    using Payload = decltype(payload);
    return BucketSplit<Payload>::suits(task.bins)
               ? BucketSplit<Payload>::scratchBytes(task)
               : DigitSplit<Payload>::scratchBytes(task);
  });
}

void
splitList(const SplitTask& task, cudaStream_t stream)
{
  withPayload<unsigned long long, uint4>(task, [&](auto payload) {
    using Payload = decltype(payload);
    if (BucketSplit<Payload>::suits(task.bins))
      BucketSplit<Payload>::split(task, stream);
    else
      DigitSplit<Payload>::split(task, stream);
  });
}

/** \brief Splits with payloads of other sizes, which are fetched when the elements'
 * order is known. */
void
splitByOrder(const SplitTask& task, cudaStream_t stream)
{
  auto* const elements = reinterpret_cast<std::uint32_t*>(
      static_cast<char*>(task.scratch) + listBytes(task));
  std::uint32_t* const order =
      elements + aligned(task.size * sizeof(std::uint32_t)) / sizeof(std::uint32_t);
  launchForEach("countUpKernel", task.size, CountUp{elements}, stream);
  SplitTask order_task = task;
  order_task.payload = elements;
  order_task.payload_bytes = sizeof(std::uint32_t);
  order_task.split_payload = order;
  splitList(order_task, stream);
  launchForEach("gatherKernel",
                task.size,
                Gather{order,
                       static_cast<const char*>(task.payload),
                       task.payload_bytes,
                       static_cast<char*>(task.split_payload)},
                stream);
}

} // namespace

namespace cuda {

std::size_t
splitScratchBytes(const SplitTask& task)
{
  const std::size_t order_bytes =
      wordBytes(task) < 0 ? 2 * aligned(task.size * sizeof(std::uint32_t)) : 0;
  return listBytes(task) + order_bytes;
}

void
split(const SplitTask& task, cudaStream_t stream)
{
  if (wordBytes(task) < 0)
    splitByOrder(task, stream);
  else
    splitList(task, stream);
}

void
numberBins(const SegmentBins& task, cudaStream_t stream)
{
  launchForEach("numberBinsKernel", task.size, NumberBins{task}, stream);
}

void
findElements(const KeyElements& task, cudaStream_t stream)
{
  launchForEach("findElementsKernel", task.keys, FindElements{task}, stream);
}

} // namespace cuda

} // namespace pcl::device

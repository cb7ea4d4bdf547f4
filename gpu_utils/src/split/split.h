// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

struct CUstream_st;

namespace pcl::device {

/** \brief Output of the bins of a list, or of a part of it. */
struct BinsOutput {
  std::uint32_t bins; ///< number of them
  std::uint32_t* counts;
  std::uint32_t* starts;

  /** \brief Sets a bin; ignores numbers that no bin has. */
  PCL_GPU_HOST_DEVICE void
  set(std::uint32_t bin, std::uint32_t count, std::uint32_t start) const
  {
    if (bin >= bins)
      return;
    counts[bin] = count;
    starts[bin] = start;
  }
};

/** \brief A list to split, and its outputs. */
struct SplitTask {
  std::size_t size;
  const std::uint32_t* keys;
  const void* payload;       ///< aligned to an element's size, like the output
  std::size_t payload_bytes; ///< of one element: 0 for none, 4, 8 or 16
  std::uint32_t* split_keys;
  void* split_payload;
  BinsOutput bins; ///< with one start more, the list's size
  void* scratch;   ///< as many bytes as splitScratchBytes() returns
};

/** \brief Payload of elements that consist of a key only. */
struct NoPayload {};

template <typename Payload>
constexpr bool has_payload = !std::is_same_v<Payload, NoPayload>;

/** \brief Calls work with an object of the payload's type.
 * \tparam Payload8 type that moves 8 bytes
 * \tparam Payload16 type that moves 16 bytes
 */
template <typename Payload8, typename Payload16, typename Work>
auto
withPayload(const SplitTask& task, const Work& work)
{
  switch (task.payload_bytes) {
  case 0:
    return work(NoPayload());
  case 8:
    return work(Payload8());
  case 16:
    return work(Payload16());
  default:
    return work(std::uint32_t());
  }
}

/** \brief Numbers for the elements of a list of segments: segment * bins + key. */
struct SegmentBins {
  const std::uint32_t* keys; ///< null if all are 0
  std::size_t size;
  std::uint32_t bins;
  const std::uint32_t* segment_starts;
  std::size_t segments;
  std::uint32_t* numbered;
};

/** \brief Columns of the image that parallelFor2D() takes a list for. With fewer, the
 * rows of a long list would exceed a CUDA grid. */
constexpr int list_columns = 1 << 13;

/** \brief Functor for parallelFor2D() that numbers the elements of a list. */
struct CountUp {
  std::size_t size;
  std::uint32_t* numbers;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const std::size_t i = std::size_t(y) * list_columns + x;
    if (i < size)
      numbers[i] = static_cast<std::uint32_t>(i);
  }
};

/** \brief Functor for parallelFor2D() that fetches payloads of any size. */
struct Gather {
  std::size_t size;
  const std::uint32_t* order; ///< the numbers of the elements to fetch
  const char* from;
  std::size_t bytes; ///< of one element
  char* to;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const std::size_t i = std::size_t(y) * list_columns + x;
    if (i < size)
      memcpy(to + i * bytes, from + order[i] * bytes, bytes);
  }
};

namespace host {

/** \brief Returns the bytes of scratch memory of split(). Depends on sizes only. */
std::size_t
splitScratchBytes(const SplitTask& task);

void
split(const SplitTask& task);

void
numberBins(const SegmentBins& task);

} // namespace host

namespace cuda {

std::size_t
splitScratchBytes(const SplitTask& task);

void
split(const SplitTask& task, CUstream_st* stream);

void
numberBins(const SegmentBins& task, CUstream_st* stream);

} // namespace cuda

/** \brief Returns the bits of numbers below \a bins. */
constexpr int
bitsFor(std::uint32_t bins)
{
  int bits = 0;
  while (bits < 32 && (std::uint64_t(1) << bits) < bins)
    ++bits;
  return bits;
}

} // namespace pcl::device

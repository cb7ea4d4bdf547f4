// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

struct CUstream_st;

namespace pcl::device {

/** \brief A list to split, and its outputs. */
struct SplitTask {
  std::size_t size;
  std::uint32_t bins;
  const std::uint32_t* keys;
  const void* payload;
  std::size_t payload_bytes; ///< of one element; 0 for none
  std::uint32_t* split_keys;
  void* split_payload;
  std::uint32_t* counts;
  std::uint32_t* starts; ///< bins + 1
  void* scratch;         ///< as many bytes as splitScratchBytes() returns
};

/** \brief Returns the size of a payload that may be moved as one word: 0, 4, 8 or 16;
 * else -1. */
inline int
wordBytes(const SplitTask& task)
{
  const std::size_t bytes = task.payload_bytes;
  if (bytes == 0)
    return 0;
  const auto isAligned = [bytes](const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
  };
  const bool is_word = (bytes == 4 || bytes == 8 || bytes == 16) &&
                       isAligned(task.payload) && isAligned(task.split_payload);
  return is_word ? static_cast<int>(bytes) : -1;
}

/** \brief Payload of elements that consist of a key only. */
struct NoPayload {};

template <typename Payload>
constexpr bool has_payload = !std::is_same_v<Payload, NoPayload>;

/** \brief Calls work with the payload to split: the elements' own, or their numbers if
 * it cannot be moved as one word.
 * \tparam Payload8 type that moves 8 bytes
 * \tparam Payload16 type that moves 16 bytes
 */
template <typename Payload8, typename Payload16, typename Work>
auto
withPayload(const SplitTask& task, const Work& work)
{
  switch (wordBytes(task)) {
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

/** \brief Functor that numbers the bins of all segments: segment * bins + key. */
struct SegmentBins {
  const std::uint32_t* keys;
  std::size_t size;
  std::uint32_t bins;
  const std::uint32_t* segment_starts;
  std::size_t segments;
  std::uint32_t* numbered;
};

/** \brief Functor that finds the number of every key's element. */
struct KeyElements {
  const std::uint32_t* key_starts;
  std::size_t elements;
  std::size_t keys;
  std::uint32_t* element_of_key;
};

namespace host {

/** \brief Returns the bytes of scratch memory of split(). Depends on sizes only. */
std::size_t
splitScratchBytes(const SplitTask& task);

void
split(const SplitTask& task);

void
numberBins(const SegmentBins& task);

void
findElements(const KeyElements& task);

} // namespace host

namespace cuda {

std::size_t
splitScratchBytes(const SplitTask& task);

void
split(const SplitTask& task, CUstream_st* stream);

void
numberBins(const SegmentBins& task, CUstream_st* stream);

void
findElements(const KeyElements& task, CUstream_st* stream);

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

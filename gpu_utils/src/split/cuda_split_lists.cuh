// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "split.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Layouts of lists in memory, and functions of digits that all splits use.

namespace pcl::device {

template <typename Payload>
constexpr std::size_t payload_bytes = has_payload<Payload> ? sizeof(Payload) : 0;

template <typename Payload>
struct Element {
  std::uint32_t key;
  Payload payload;
};

/** \brief Prefetches some numbers. All threads of the block must call. */
template <typename T>
__device__ void
prefetch(const T* numbers, std::uint32_t size)
{
  constexpr std::uint32_t line = 128 / sizeof(T);
  for (std::uint32_t i = threadIdx.x * line; i < size; i += blockDim.x * line)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(numbers + i));
}

/** \brief A list to read, with keys and payload in arrays of their own. */
template <typename Payload>
struct Arrays {
  const std::uint32_t* keys;
  const Payload* payload;

  __device__ std::uint32_t
  key(std::uint32_t i) const
  {
    return keys[i];
  }

  __device__ Element<Payload>
  get(std::uint32_t i) const
  {
    if constexpr (has_payload<Payload>)
      return {keys[i], payload[i]};
    else
      return {keys[i], {}};
  }

  __device__ void
  prefetchElements(std::uint32_t first, std::uint32_t size) const
  {
    prefetch(keys + first, size);
    if constexpr (has_payload<Payload>)
      prefetch(payload + first, size);
  }
};

/** \brief A list to write, in global or in shared memory. */
template <typename Payload>
struct MutableArrays {
  using Read = Arrays<Payload>;
  using PayloadType = Payload;
  static constexpr std::size_t element_bytes =
      sizeof(std::uint32_t) + payload_bytes<Payload>;

  std::uint32_t* keys;
  Payload* payload;

  /** \brief Lays a list out in memory that is aligned to 16 bytes.
   * \param[in] capacity of the list, a multiple of 4
   */
  static __host__ __device__ MutableArrays
  in(void* memory, std::size_t capacity)
  {
    // The payload comes first, for it may be aligned to more than keys are.
    auto* const payload = static_cast<Payload*>(memory);
    auto* const keys = reinterpret_cast<std::uint32_t*>(
        static_cast<char*>(memory) + capacity * payload_bytes<Payload>);
    return {keys, payload};
  }

  __host__ __device__ Read
  read() const
  {
    return {keys, payload};
  }

  __device__ void
  set(std::uint32_t i, const Element<Payload>& element) const
  {
    keys[i] = element.key;
    if constexpr (has_payload<Payload>)
      payload[i] = element.payload;
  }

  __device__ void
  setKey(std::uint32_t i, std::uint32_t key) const
  {
    keys[i] = key;
  }

  /** \brief Starts copying an element of global memory to this list in shared
   * memory. */
  __device__ void
  fetch(std::uint32_t i, const Read& from, std::uint32_t j) const
  {
    __pipeline_memcpy_async(keys + i, from.keys + j, sizeof(std::uint32_t));
    if constexpr (has_payload<Payload>)
      __pipeline_memcpy_async(payload + i, from.payload + j, sizeof(Payload));
  }

  /** \brief Returns whether fetchFour() may begin at elements \a j plus a multiple of
   * four. */
  static __device__ bool
  canFetchFours(const Read& from, std::uint32_t j)
  {
    const auto isAligned = [](const void* memory) {
      return reinterpret_cast<std::uintptr_t>(memory) % sizeof(uint4) == 0;
    };
    return isAligned(from.keys + j) &&
           (!has_payload<Payload> || isAligned(from.payload + j));
  }

  /** \brief Starts copying four elements; \a i is a multiple of four. */
  __device__ void
  fetchFour(std::uint32_t i, const Read& from, std::uint32_t j) const
  {
    __pipeline_memcpy_async(keys + i, from.keys + j, sizeof(uint4));
    if constexpr (has_payload<Payload>) {
      auto* const to = reinterpret_cast<uint4*>(payload + i);
      auto* const words = reinterpret_cast<const uint4*>(from.payload + j);
#pragma unroll
      for (std::size_t word = 0; word < sizeof(Payload) / sizeof(std::uint32_t); ++word)
        __pipeline_memcpy_async(to + word, words + word, sizeof(uint4));
    }
  }
};

/** \brief A list of small elements to read, with key and payload side by side. */
struct Pairs {
  const uint2* pairs;

  __device__ std::uint32_t
  key(std::uint32_t i) const
  {
    return pairs[i].x;
  }

  __device__ Element<std::uint32_t>
  get(std::uint32_t i) const
  {
    const uint2 pair = pairs[i];
    return {pair.x, pair.y};
  }

  __device__ void
  prefetchElements(std::uint32_t first, std::uint32_t size) const
  {
    prefetch(pairs + first, size);
  }
};

/** \brief A list of small elements to write, in global or in shared memory. */
struct MutablePairs {
  using Read = Pairs;
  using PayloadType = std::uint32_t;
  static constexpr std::size_t element_bytes = sizeof(uint2);

  uint2* pairs;

  static __host__ __device__ MutablePairs
  in(void* memory, std::size_t)
  {
    return {static_cast<uint2*>(memory)};
  }

  __host__ __device__ Read
  read() const
  {
    return {pairs};
  }

  __device__ void
  set(std::uint32_t i, const Element<std::uint32_t>& element) const
  {
    pairs[i] = make_uint2(element.key, element.payload);
  }

  __device__ void
  setKey(std::uint32_t i, std::uint32_t key) const
  {
    pairs[i].x = key;
  }

  __device__ void
  fetch(std::uint32_t i, const Read& from, std::uint32_t j) const
  {
    __pipeline_memcpy_async(pairs + i, from.pairs + j, sizeof(uint2));
  }

  static __device__ bool
  canFetchFours(const Read& from, std::uint32_t j)
  {
    return reinterpret_cast<std::uintptr_t>(from.pairs + j) % sizeof(uint4) == 0;
  }

  __device__ void
  fetchFour(std::uint32_t i, const Read& from, std::uint32_t j) const
  {
    __pipeline_memcpy_async(pairs + i, from.pairs + j, sizeof(uint4));
    __pipeline_memcpy_async(pairs + i + 2, from.pairs + j + 2, sizeof(uint4));
  }
};

/** \brief A list between two passes. Elements move in short runs; with pairs there are
 * half as many runs, twice as long. */
template <typename Payload>
using ListBetween = std::conditional_t<std::is_same<Payload, std::uint32_t>::value,
                                       MutablePairs,
                                       MutableArrays<Payload>>;

/** \brief Returns the place of the last of the numbers before \a end that is not above
 * \a value.
 * \param[in] number number(i) is the i-th
 */
template <typename Number>
__device__ std::uint32_t
lastNotAbove(const Number& number, std::uint32_t end, std::uint32_t value)
{
  std::uint32_t begin = 0;
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (number(middle) <= value)
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

/** \brief Returns the number of those ascending numbers before \a end that are below \a
 * value.
 * \param[in] number number(i) is the i-th
 */
template <typename Number>
__device__ std::uint32_t
numberBelow(const Number& number, std::uint32_t end, std::uint32_t value)
{
  std::uint32_t begin = 0;
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (number(middle) < value)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/** \brief Some bits of a key. */
struct Digit {
  std::uint32_t offset; ///< of the keys: it is added to them
  int shift;
  std::uint32_t mask;

  __host__ __device__ std::uint32_t
  digits() const
  {
    return mask + 1;
  }

  __device__ std::uint32_t
  of(std::uint32_t key) const
  {
    return (key + offset) >> shift & mask;
  }

  /** \brief Calls work with the digit in its simplest form. */
  template <typename Work>
  __device__ void
  inSimplestForm(const Work& work) const
  {
    work(*this);
  }

  /** \brief Returns a key of the last digit. */
  __device__ std::uint32_t
  padding() const
  {
    return 0xffffffffu - offset;
  }

  /** \brief Returns whether a digit is a bin though others are not (see HighDigit). */
  __device__ bool
  isFinal(std::uint32_t) const
  {
    return false;
  }
};

/** \brief Returns the lanes of the warp that have the same bit as the calling lane. */
template <int Bit>
__device__ unsigned int
lanesWithBit(std::uint32_t digit)
{
  // From C++ the compiler computes the bit twice, for the vote and for its inverse.
  unsigned int lanes;
  asm volatile("{\n"
               "  .reg .pred set;\n"
               "  .reg .b32 bit;\n"
               "  and.b32 bit, %1, %2;\n"
               "  setp.ne.u32 set, bit, 0;\n"
               "  vote.sync.ballot.b32 %0, set, 0xffffffff;\n"
               "  @!set not.b32 %0, %0;\n"
               "}"
               : "=r"(lanes)
               : "r"(digit), "n"(1 << Bit));
  return lanes;
}

/** \brief Returns the lanes of the warp that have the same digit. */
template <int Bits>
__device__ unsigned int
lanesWithDigit(std::uint32_t digit)
{
  if constexpr (Bits == 0)
    return all_lanes;
  else
    return lanesWithDigit<Bits - 1>(digit) & lanesWithBit<Bits - 1>(digit);
}

/** \brief Counts a warp's digits.
 *
 * The first lane counts for all that have its digit: otherwise they would queue in
 * lists of similar keys.
 * \param[in] valid whether the lane has a digit; lane 0 has one if any lane has
 * \param[in] add counts a digit so many times: add(digit, times)
 */
template <typename Add>
__device__ void
countDigit(std::uint32_t digit, bool valid, const Add& add)
{
  const std::uint32_t first_digit = __shfl_sync(all_lanes, digit, 0);
  const bool as_first = valid && digit == first_digit;
  const int first_count = __popc(__ballot_sync(all_lanes, as_first));
  const bool is_first = threadIdx.x % warp_size == 0;
  if (is_first || (valid && !as_first))
    add(digit, is_first ? first_count : 1);
}

} // namespace pcl::device

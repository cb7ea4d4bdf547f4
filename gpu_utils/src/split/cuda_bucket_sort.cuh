// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_tile_pass.cuh"

// The step after a split by the keys' high digit. Buckets that fit into a block's
// shared memory are split there by the low digit. Larger ones become the sections of a
// second pass.

namespace pcl::device {

/** \brief Buckets after a split by the high digit. */
struct Buckets {
  std::uint32_t number;
  std::uint32_t capacity; ///< the elements that a block can hold
  /** \brief Capacity where digits have a window and buckets twice as many bins. */
  std::uint32_t window_capacity;
  const KeySpread* spread;
  const std::uint32_t* starts;   ///< of all buckets, and the end of the last
  SectionList large;             ///< those that are too large for a block
  std::uint32_t large_tile_size; ///< of the second pass

  __device__ std::uint32_t
  capacityFor(const HighDigit& digit) const
  {
    return digit.window_size > 0 ? window_capacity : capacity;
  }
};

/** \brief Step after the scan of the first pass: finds the buckets that are too large
 * for a block. */
struct PlanBuckets {
  Buckets buckets;
  BinsOutput bins;

  __device__ void
  operator()(const TilePass<FirstDigit>& pass) const
  {
    using Scan = ChunkLimits::Scan;
    constexpr int own = DigitTotals::own;
    __shared__ Scan::TempStorage scan;
    const DigitTotals totals(pass, scan);
    const HighDigit digit = pass.digit.spread->digit;
    const bool is_ordered = __ldcg(&pass.digit.spread->is_ordered);
    const std::uint32_t capacity = buckets.capacityFor(digit);
    std::uint32_t tiles[own], is_large[own];
    bool any_large = false;
#pragma unroll
    for (int i = 0; i < own; ++i) {
      const std::uint32_t size = totals.counts[i];
      is_large[i] = size > capacity && !is_ordered && !digit.isFinal(totals.first + i);
      any_large = any_large || is_large[i];
      tiles[i] = is_large[i]
                     ? (size + buckets.large_tile_size - 1) / buckets.large_tile_size
                     : 0;
    }
    if (threadIdx.x == 0) {
      *buckets.large.totals = {0, 0};
      bins.starts[bins.bins] = pass.sections.whole.size;
    }
    if (!__syncthreads_or(any_large))
      return;
    std::uint32_t first_tiles[own], places[own], all_tiles, all_large;
    Scan(scan).ExclusiveSum(tiles, first_tiles, all_tiles);
    __syncthreads();
    Scan(scan).ExclusiveSum(is_large, places, all_large);
#pragma unroll
    for (int i = 0; i < own; ++i)
      if (is_large[i])
        buckets.large.list[places[i]] = {totals.starts[i],
                                         totals.counts[i],
                                         first_tiles[i],
                                         tiles[i],
                                         digit.firstBin(totals.first + i),
                                         digit.firstLow(totals.first + i)};
    if (threadIdx.x == 0)
      *buckets.large.totals = {all_large, all_tiles};
  }
};

/** \brief Splits a bucket within a block, if it is not too large.
 * \param[in] ahead number of buckets in progress at once
 */
template <typename From, typename To, typename Shape>
__global__ void
__launch_bounds__(Shape::threads, Shape::blocks)
    sortBucketsKernel(Buckets buckets,
                      typename From::Read from,
                      To to,
                      std::uint32_t ahead,
                      BinsOutput bins)
{
  if constexpr (!has_large_blocks)
    return;
  extern __shared__ __align__(16) char shared_bytes[];
  __shared__ typename Shape::Scan::TempStorage scan;
  waitForPreviousKernel();
  const std::uint32_t bucket = blockIdx.x;
  const std::uint32_t begin = buckets.starts[bucket];
  const std::uint32_t size = buckets.starts[bucket + 1] - begin;
  const KeySpread spread = *buckets.spread;
  if (spread.digit.isFinal(bucket)) {
    if (threadIdx.x == 0)
      bins.set(spread.digit.finalBin(bucket), size, begin);
    return;
  }
  const Digit digit = spread.digit.low();
  const std::uint32_t first_bin = spread.digit.firstBin(bucket);
  const std::uint32_t first_digit = spread.digit.firstLow(bucket);
  const std::uint32_t capacity = buckets.capacityFor(spread.digit);
  if (size == 0) {
    for (std::uint32_t i = first_digit + threadIdx.x; i < digit.digits();
         i += Shape::threads)
      bins.set(first_bin + i, 0, begin);
    return;
  }
  Chunk<From, Digit, Shape> chunk(shared_bytes, capacity, digit);
  std::uint32_t* const places = chunk.digit_places;
  const auto setBins = [&] {
    for (std::uint32_t i = first_digit + threadIdx.x; i < digit.digits();
         i += Shape::threads) {
      const std::uint32_t place = places[i];
      const std::uint32_t end = i < digit.mask ? places[i + 1] : size;
      bins.set(first_bin + i, end - place, begin + place);
    }
  };
  if (spread.is_ordered) {
    // The first pass has moved all elements there.
    const auto keys = to.read();
    for (std::uint32_t i = threadIdx.x; i < digit.digits(); i += Shape::threads)
      places[i] = numberBelow(
          [&](std::uint32_t n) { return digit.of(keys.key(begin + n)); }, size, i);
    __syncthreads();
    setBins();
    return;
  }
  if (size > capacity)
    return;

  chunk.load(from, begin, size, [&] {
    const std::uint32_t next = bucket + ahead;
    if (next >= buckets.number)
      return;
    const std::uint32_t next_begin = buckets.starts[next];
    const std::uint32_t next_size = buckets.starts[next + 1] - next_begin;
    if (next_size <= capacity)
      from.prefetchElements(next_begin, next_size);
  });
  std::uint32_t begins[Shape::thread_digits];
  chunk.scanCounts(scan, begins);
#pragma unroll
  for (int i = 0; i < Shape::thread_digits; ++i)
    if (chunk.firstDigit() + i < chunk.width)
      chunk.digit_places[chunk.firstDigit() + i] = begins[i];
  __syncthreads();
  setBins();
  chunk.findOrder();
  __syncthreads();
  chunk.forAllInOrder([&](std::uint32_t place, const auto& element) {
    to.set(begin + place, element);
  });
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_tile_pass.cuh"

// What follows a split by the keys' high digit: every bucket that a block can hold in
// shared memory is split by the low digit there. Larger ones become the sections of a
// second pass.

namespace pcl {
namespace device {

/** \brief The buckets that a split by the high digit left. */
struct Buckets {
  std::uint32_t number;
  std::uint32_t capacity;     ///< the elements that a block can hold
  const std::uint32_t* sizes; ///< of all buckets
  std::uint32_t* starts;      ///< of all buckets, and the end of the last
  Section* large;             ///< those that are too large for a block
  SectionTotals* large_totals;
  std::uint32_t large_tile_size; ///< of the second pass
  int low_bits;                  ///< of the keys within a bucket
};

/** \brief Finds the buckets' places, and those that are too large for a block. */
template <typename Scan = ChunkScan>
__global__ void
__launch_bounds__(ChunkShape::threads)
    planBucketsKernel(Buckets buckets, BinsOutput bins)
{
  constexpr int own = ChunkShape::thread_digits;
  __shared__ typename Scan::TempStorage scan;
  waitForPreviousKernel();
  const std::uint32_t first = threadIdx.x * own;
  std::uint32_t sizes[own], tiles[own], is_large[own];
#pragma unroll
  for (int i = 0; i < own; ++i) {
    sizes[i] = first + i < buckets.number ? buckets.sizes[first + i] : 0;
    is_large[i] = sizes[i] > buckets.capacity;
    tiles[i] = is_large[i]
                   ? (sizes[i] + buckets.large_tile_size - 1) / buckets.large_tile_size
                   : 0;
  }
  std::uint32_t starts[own], first_tiles[own], places[own];
  std::uint32_t size, all_tiles, all_large;
  Scan(scan).ExclusiveSum(sizes, starts, size);
  __syncthreads();
  Scan(scan).ExclusiveSum(tiles, first_tiles, all_tiles);
  __syncthreads();
  Scan(scan).ExclusiveSum(is_large, places, all_large);
#pragma unroll
  for (int i = 0; i < own; ++i) {
    if (first + i >= buckets.number)
      break;
    buckets.starts[first + i] = starts[i];
    if (is_large[i])
      buckets.large[places[i]] = {starts[i],
                                  sizes[i],
                                  first_tiles[i],
                                  tiles[i],
                                  (first + i) << buckets.low_bits};
  }
  if (threadIdx.x > 0)
    return;
  buckets.starts[buckets.number] = size;
  *buckets.large_totals = {all_large, all_tiles};
  bins.starts[bins.bins] = size;
}

/** \brief Splits a bucket within a block, if it is not too large.
 * \param[in] ahead number of buckets that are under way together
 */
template <typename From, typename To>
__global__ void
__launch_bounds__(ChunkShape::threads, ChunkShape::blocks)
    sortBucketsKernel(Buckets buckets,
                      typename From::Read from,
                      To to,
                      std::uint32_t ahead,
                      BinsOutput bins)
{
  extern __shared__ __align__(16) char shared_bytes[];
  __shared__ typename ChunkScan::TempStorage scan;
  waitForPreviousKernel();
  const std::uint32_t bucket = blockIdx.x;
  const std::uint32_t begin = buckets.starts[bucket];
  const std::uint32_t size = buckets.starts[bucket + 1] - begin;
  const std::uint32_t first_bin = bucket << buckets.low_bits;
  const Digit digit{0, (1u << buckets.low_bits) - 1};
  if (size > buckets.capacity)
    return;
  if (size == 0) {
    for (std::uint32_t i = threadIdx.x; i <= digit.mask; i += ChunkShape::threads)
      bins.set(first_bin + i, 0, begin);
    return;
  }

  Chunk<From> chunk(shared_bytes, buckets.capacity, digit);
  chunk.load(from, begin, size, [&] {
    const std::uint32_t next = bucket + ahead;
    if (next >= buckets.number)
      return;
    const std::uint32_t next_begin = buckets.starts[next];
    const std::uint32_t next_size = buckets.starts[next + 1] - next_begin;
    if (next_size <= buckets.capacity)
      from.prefetchElements(next_begin, next_size);
  });
  std::uint32_t begins[ChunkShape::thread_digits];
  chunk.scanCounts(scan, begins);
#pragma unroll
  for (int i = 0; i < ChunkShape::thread_digits; ++i)
    if (chunk.firstDigit() + i < chunk.width)
      chunk.digit_places[chunk.firstDigit() + i] = begins[i];
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i <= digit.mask; i += ChunkShape::threads) {
    const std::uint32_t place = chunk.digit_places[i];
    const std::uint32_t end = i < digit.mask ? chunk.digit_places[i + 1] : size;
    bins.set(first_bin + i, end - place, begin + place);
  }
  chunk.findOrder();
  __syncthreads();
  chunk.forAllInOrder([&](std::uint32_t place, const auto& element) {
    to.set(begin + place, element);
  });
}

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_split_lists.cuh"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

// A stable split by one digit of the keys. Every tile of the list counts its digits, a
// scan of all counts gives the places of each tile's elements, and the tiles move them
// there, sorted in shared memory so that neighbours are written together.

namespace pcl::device {

/** \brief The elements that a block sorts: more for wide digits, whose bins get few of
 * each tile; fewer with large payload, to save shared memory. */
template <int Bits, typename Payload>
struct Tile {
  static constexpr bool wide = Bits > 6;
  static constexpr int digits = 1 << Bits;
  static constexpr int threads = wide ? 512 : 256;
  static constexpr int warps = threads / warp_size;
  /** \brief Number of blocks; more would spill registers. */
  static constexpr int blocks_per_multiprocessor = wide ? 2 : 3;
  /** \brief Elements of a thread. */
  static constexpr int items = sizeof(Payload) <= 4   ? (wide ? 12 : 16)
                               : sizeof(Payload) <= 8 ? (wide ? 8 : 12)
                                                      : (wide ? 4 : 6);
  static constexpr int size = items * threads;
  static_assert(digits <= threads, "a thread has one digit at most");
};

/** \brief One pass over a list. */
template <typename Payload>
struct DigitPass {
  Arrays<Payload> from;
  MutableArrays<Payload> to;
  std::uint32_t size;
  int shift; ///< of the digit in the keys
  std::uint32_t tiles;
  /** \brief For every digit and tile the count, then the place of the first element. */
  std::uint32_t* places;
  BinsOutput bins; ///< where the digits are bins; else it has no counts
};

/** \brief Reads a thread's keys; those behind the list's end are all ones.
 *
 * So the last digit's bin ends where the list does, and elements behind stay behind.
 * \param[in] own_keys the thread's first key
 * \param[in] left number of keys from there to the list's end
 */
template <int Items>
__device__ void
readKeys(const std::uint32_t* own_keys,
         std::uint32_t left,
         std::uint32_t (&keys)[Items])
{
#pragma unroll
  for (int i = 0; i < Items; ++i)
    keys[i] = i * warp_size < left ? own_keys[i * warp_size] : 0xffffffffu;
}

/** \brief Returns the first element that the thread reads. The others follow at steps
 * of a warp. */
template <typename Tile>
__device__ std::uint32_t
firstElement()
{
  const std::uint32_t thread = threadIdx.x;
  return blockIdx.x * std::uint32_t(Tile::size) +
         thread / warp_size * Tile::items * warp_size + thread % warp_size;
}

template <int Bits, typename Payload>
__global__ void
__launch_bounds__(Tile<Bits, Payload>::threads)
    countDigitsKernel(DigitPass<Payload> task)
{
  using Shape = Tile<Bits, Payload>;
  constexpr std::uint32_t digits = Shape::digits;
  __shared__ std::uint32_t counts[digits];
  waitForPreviousKernel();
  const std::uint32_t first = firstElement<Shape>();
  const std::uint32_t left = first < task.size ? task.size - first : 0;
  std::uint32_t keys[Shape::items];
  readKeys(task.from.keys + first, left, keys);
  if (threadIdx.x < digits)
    counts[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Shape::items; ++i)
    countDigit(keys[i] >> task.shift & (digits - 1),
               true,
               [&](std::uint32_t digit, std::uint32_t times) {
                 atomicAdd(&counts[digit], times);
               });
  __syncthreads();
  if (threadIdx.x < digits)
    task.places[threadIdx.x * task.tiles + blockIdx.x] = counts[threadIdx.x];
}

/** \brief The shared memory of a tile. */
template <int Bits, typename Payload>
struct TileMemory {
  using Shape = Tile<Bits, Payload>;

  alignas(16) Payload payload[has_payload<Payload> ? Shape::size : 1];
  std::uint32_t keys[Shape::size];
  std::uint16_t warp_counts[Shape::warps][Shape::digits];
  std::uint32_t warp_totals[Shape::warps];
  std::uint32_t digit_places[Shape::digits];
};

/** \brief Ranks a warp's elements among those of the same digit.
 * \param[in,out] counts the warp's elements of each digit so far
 */
template <int Bits, int Items>
__device__ void
rankElements(const std::uint32_t (&digit)[Items],
             std::uint16_t (&counts)[1 << Bits],
             std::uint32_t (&ranks)[Items])
{
  const unsigned int lanes_before = (1u << threadIdx.x % warp_size) - 1;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const std::uint32_t count = counts[digit[i]];
    const unsigned int lanes = lanesWithDigit<Bits>(digit[i]);
    ranks[i] = count + __popc(lanes & lanes_before);
    __syncwarp();
    if ((lanes & lanes_before) == 0)
      counts[digit[i]] = static_cast<std::uint16_t>(count + __popc(lanes));
    __syncwarp();
  }
}

template <int Bits, typename Payload>
__global__ void
__launch_bounds__(Tile<Bits, Payload>::threads,
                  Tile<Bits, Payload>::blocks_per_multiprocessor)
    splitByDigitKernel(DigitPass<Payload> task)
{
  using Memory = TileMemory<Bits, Payload>;
  static_assert(sizeof(Memory) <= 65536, "the oldest devices give a block 64 KiB");
  using Shape = Tile<Bits, Payload>;
  static_assert(Shape::size < 65536, "places in a tile have 16 bits");
  constexpr int digits = Shape::digits;
  constexpr int items = Shape::items;
  extern __shared__ char shared_bytes[];
  Memory& shared = *reinterpret_cast<Memory*>(shared_bytes);
  waitForPreviousKernel();

  const int thread = threadIdx.x;
  const int lane = thread % warp_size;
  const int warp = thread / warp_size;
  const std::uint32_t first = firstElement<Shape>();
  const std::uint32_t left = first < task.size ? task.size - first : 0;
  const auto digitOf = [&](std::uint32_t key) {
    return key >> task.shift & (digits - 1);
  };

  std::uint32_t own_place = 0;
  if (thread < digits)
    own_place = task.places[thread * task.tiles + blockIdx.x];
  if (task.bins.counts && blockIdx.x == 0 && thread < digits) {
    // A digit's first element in the first tile is its first of the list.
    const std::uint32_t end =
        thread + 1 < digits ? task.places[(thread + 1) * task.tiles] : task.size;
    task.bins.set(thread, end - own_place, own_place);
    if (thread == 0)
      task.bins.starts[task.bins.bins] = task.size;
  }
  std::uint32_t keys[items];
  readKeys(task.from.keys + first, left, keys);
  Payload payload[has_payload<Payload> ? items : 1];
  if constexpr (has_payload<Payload>) {
    const Payload* const own_payload = task.from.payload + first;
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (i * warp_size < left)
        payload[i] = own_payload[i * warp_size];
  }
  for (int i = lane; i < digits; i += warp_size)
    shared.warp_counts[warp][i] = 0;
  __syncwarp();

  std::uint32_t digit[items];
#pragma unroll
  for (int i = 0; i < items; ++i)
    digit[i] = digitOf(keys[i]);
  std::uint32_t places[items];
  rankElements<Bits>(digit, shared.warp_counts[warp], places);
  __syncthreads();

  // Each thread handles one digit: its count in the tile, and its start for every warp.
  std::uint32_t own_count = 0;
  if (thread < digits) {
#pragma unroll
    for (int w = 0; w < Shape::warps; ++w) {
      const std::uint32_t count = shared.warp_counts[w][thread];
      shared.warp_counts[w][thread] = static_cast<std::uint16_t>(own_count);
      own_count += count;
    }
  }
  std::uint32_t own_end =
      inclusiveSumOverWarp(own_count, lane); // of the digit in the tile
  if (digits > warp_size) {
    if (lane == warp_size - 1)
      shared.warp_totals[warp] = own_end;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < Shape::warps; ++w)
      own_end += w < warp ? shared.warp_totals[w] : 0;
  }
  const std::uint32_t own_begin = own_end - own_count;
  if (thread < digits) {
#pragma unroll
    for (int w = 0; w < Shape::warps; ++w)
      shared.warp_counts[w][thread] =
          static_cast<std::uint16_t>(shared.warp_counts[w][thread] + own_begin);
    shared.digit_places[thread] = own_place - own_begin;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    places[i] += shared.warp_counts[warp][digit[i]];
    shared.keys[places[i]] = keys[i];
  }
  if constexpr (has_payload<Payload>) {
#pragma unroll
    for (int i = 0; i < items; ++i)
      shared.payload[places[i]] = payload[i];
  }

  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t place = i * Shape::threads + thread;
    const std::uint32_t key = shared.keys[place];
    const std::uint32_t to = shared.digit_places[digitOf(key)] + place;
    if (to >= task.size)
      continue;
    task.to.keys[to] = key;
    if constexpr (has_payload<Payload>)
      task.to.payload[to] = shared.payload[place];
  }
}

} // namespace pcl::device

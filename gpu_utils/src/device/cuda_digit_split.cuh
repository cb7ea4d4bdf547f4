// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cstddef>
#include <cstdint>

// A stable split by one digit of the keys: every tile of the list sorts its elements in
// shared memory, so that neighbours are written together. Where a tile's elements go it
// learns from a scan of all tiles' counts (ScannedPlaces), or from the tiles before it
// (PlacesBehind in cuda_look_back.cuh).

/** Whether keys and payload go through the same shared memory, one after the other, in
 * larger tiles. */
#ifndef PCL_GPU_SPLIT_LARGE_TILES
#define PCL_GPU_SPLIT_LARGE_TILES 0
#endif

namespace pcl {
namespace device {

struct NoPayload {};

template <typename Payload>
constexpr bool has_payload = true;
template <>
constexpr bool has_payload<NoPayload> = false;

/** \brief The elements that a block sorts: more of them for wide digits, whose bins get
 * few of each tile; fewer with large payload, for the sake of shared memory. */
template <int Bits, typename Payload>
struct Tile {
  static constexpr bool wide = Bits > 6;
  static constexpr int digits = 1 << Bits;
  static constexpr int threads = wide ? 512 : 256;
  static constexpr int warps = threads / warp_size;
  /** \brief More would spill registers. */
  static constexpr int blocks_per_multiprocessor = wide ? 2 : 3;
  /** \brief Elements of a thread. */
#if PCL_GPU_SPLIT_LARGE_TILES
  static constexpr int items = sizeof(Payload) <= 4   ? (wide ? 14 : 16)
                               : sizeof(Payload) <= 8 ? (wide ? 10 : 13)
                                                      : (wide ? 6 : 9);
#else
  static constexpr int items = sizeof(Payload) <= 4   ? (wide ? 12 : 16)
                               : sizeof(Payload) <= 8 ? (wide ? 8 : 12)
                                                      : (wide ? 4 : 6);
#endif
  static constexpr int size = items * threads;
  static_assert(digits <= threads, "a thread looks after one digit at most");
};

/** \brief One pass over a list. */
template <typename Payload>
struct DigitPass {
  const std::uint32_t* keys;
  const Payload* payload;
  std::uint32_t* split_keys;
  Payload* split_payload;
  std::uint32_t size;
  int shift; ///< of the digit in the keys
  /** \brief Histogram of the keys, zero before; or none if it is not asked for. */
  std::uint32_t* bin_counts;
  std::uint32_t bins;
};

/** \brief Places of the tiles' elements, known before they are moved. */
struct ScannedPlaces {
  static constexpr bool counts_bins = false;

  std::uint32_t tiles;
  /** \brief For every digit and tile the place of its first element; first their counts. */
  std::uint32_t* places;

  /** \brief What a block finds out about its tile. Its threads look after a digit each. */
  template <int Digits>
  struct OfTile {
    std::uint32_t tile = blockIdx.x;
    std::uint32_t own_place = 0;

    __device__ explicit OfTile(const ScannedPlaces& scanned)
    {
      if (threadIdx.x < Digits)
        own_place = scanned.places[threadIdx.x * scanned.tiles + tile];
    }

    /** \brief Says how many elements the digit has in this tile. */
    __device__ void
    announce(std::uint32_t)
    {}

    /** \return the place of the digit's first element in this tile */
    __device__ std::uint32_t
    find(std::uint32_t)
    {
      return own_place;
    }
  };
};

/** \brief The lanes of the warp that have the same digit. */
template <int Bits>
__device__ unsigned int
lanesWithDigit(std::uint32_t digit)
{
  unsigned int lanes = all_lanes;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    const bool set = digit >> bit & 1;
    const unsigned int with_bit = __ballot_sync(all_lanes, set);
    lanes &= set ? with_bit : ~with_bit;
  }
  return lanes;
}

/** \brief A thread's keys; behind the list's end they are all ones.
 *
 * So the last digit's bin ends where the list does, and what is behind stays behind.
 * \param[in] own_keys the thread's first
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

/** \brief The list's first element that the thread reads; the others follow by warps. */
template <typename Tile>
__device__ std::uint32_t
firstElement(std::uint32_t tile)
{
  const std::uint32_t thread = threadIdx.x;
  return tile * std::uint32_t(Tile::size) +
         thread / warp_size * Tile::items * warp_size + thread % warp_size;
}

/** \brief Counts the digits of a warp's elements.
 * \param[in,out] counts of the digits in the block
 */
__device__ inline void
countInWarp(std::uint32_t digit, std::uint32_t* counts)
{
  // The first lane counts for all that have its digit: where the keys of a list are much
  // alike they would queue.
  const bool as_first = digit == __shfl_sync(all_lanes, digit, 0);
  const int first_count = __popc(__ballot_sync(all_lanes, as_first));
  if (threadIdx.x % warp_size == 0)
    atomicAdd(&counts[digit], first_count);
  else if (!as_first)
    atomicAdd(&counts[digit], 1u);
}

template <int Bits, typename Payload>
__global__ void
__launch_bounds__(Tile<Bits, Payload>::threads)
    countDigitsKernel(DigitPass<Payload> task, ScannedPlaces scanned)
{
  using Shape = Tile<Bits, Payload>;
  constexpr std::uint32_t digits = Shape::digits;
  __shared__ std::uint32_t counts[digits];
  waitForPreviousKernel();
  const std::uint32_t first = firstElement<Shape>(blockIdx.x);
  const std::uint32_t left = first < task.size ? task.size - first : 0;
  std::uint32_t keys[Shape::items];
  readKeys(task.keys + first, left, keys);
  if (threadIdx.x < digits)
    counts[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    countInWarp(keys[i] >> task.shift & (digits - 1), counts);
  }
  __syncthreads();
  if (threadIdx.x < digits)
    scanned.places[threadIdx.x * scanned.tiles + blockIdx.x] = counts[threadIdx.x];
}

/** \brief The shared memory of a tile. */
template <int Bits, typename Payload>
struct TileMemory {
  using Shape = Tile<Bits, Payload>;

#if PCL_GPU_SPLIT_LARGE_TILES
  union {
    std::uint32_t keys[Shape::size];
    alignas(16) Payload payload[has_payload<Payload> ? Shape::size : 1];
  };
#else
  alignas(16) Payload payload[has_payload<Payload> ? Shape::size : 1];
  std::uint32_t keys[Shape::size];
#endif
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

/** \brief Reads the payload of the keys that readKeys() reads. */
template <int Items, typename Payload>
__device__ void
readPayload(const Payload* own_payload, std::uint32_t left, Payload (&payload)[Items])
{
#pragma unroll
  for (int i = 0; i < Items; ++i)
    if (i * warp_size < left)
      payload[i] = own_payload[i * warp_size];
}

/** \brief Counts an element of a tile that lies in the order of its keys.
 *
 * Of elements with the same key that follow each other only the first and the last count:
 * their places' difference.
 */
template <int Size>
__device__ void
countBin(const std::uint32_t (&keys)[Size],
         std::uint32_t place,
         std::uint32_t* bin_counts,
         std::uint32_t bins)
{
  const std::uint32_t key = keys[place];
  if (key >= bins)
    return;
  const bool is_first = place == 0 || keys[place - 1] != key;
  const bool is_last = place == Size - 1 || keys[place + 1] != key;
  if (is_first || is_last)
    atomicAdd(&bin_counts[key], (is_last ? place + 1 : 0u) - (is_first ? place : 0u));
}

template <int Bits, typename Payload, typename Places>
__global__ void
__launch_bounds__(Tile<Bits, Payload>::threads,
                  Tile<Bits, Payload>::blocks_per_multiprocessor)
    splitByDigitKernel(DigitPass<Payload> task, Places all_places)
{
  using Memory = TileMemory<Bits, Payload>;
  static_assert(sizeof(Memory) <= 65536, "the oldest devices give a block 64 KiB");
  using Shape = Tile<Bits, Payload>;
  static_assert(Shape::size < 65536, "places in a tile have 16 bits");
  constexpr int digits = Shape::digits;
  constexpr int items = Shape::items;
  constexpr bool payload_first = has_payload<Payload> && !PCL_GPU_SPLIT_LARGE_TILES;
  constexpr bool payload_last = has_payload<Payload> && PCL_GPU_SPLIT_LARGE_TILES;
  extern __shared__ char shared_bytes[];
  Memory& shared = *reinterpret_cast<Memory*>(shared_bytes);
  waitForPreviousKernel();

  const int thread = threadIdx.x;
  const int lane = thread % warp_size;
  const int warp = thread / warp_size;
  typename Places::template OfTile<digits> tile_places(all_places);
  const std::uint32_t first = firstElement<Shape>(tile_places.tile);
  const std::uint32_t left = first < task.size ? task.size - first : 0;
  const auto digitOf = [&](std::uint32_t key) {
    return key >> task.shift & (digits - 1);
  };

  std::uint32_t keys[items];
  readKeys(task.keys + first, left, keys);
  Payload payload[has_payload<Payload> ? items : 1];
  if constexpr (payload_first)
    readPayload(task.payload + first, left, payload);
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

  // Each thread one digit: its count in the tile, and where it begins for every warp.
  std::uint32_t own_count = 0;
  if (thread < digits) {
#pragma unroll
    for (int w = 0; w < Shape::warps; ++w) {
      const std::uint32_t count = shared.warp_counts[w][thread];
      shared.warp_counts[w][thread] = static_cast<std::uint16_t>(own_count);
      own_count += count;
    }
    tile_places.announce(own_count);
  }
  std::uint32_t own_end = own_count; // of the digit in the tile
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(all_lanes, own_end, distance);
    own_end += lane >= distance ? before : 0;
  }
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
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    places[i] += shared.warp_counts[warp][digit[i]];
    shared.keys[places[i]] = keys[i];
  }
  if constexpr (payload_first) {
#pragma unroll
    for (int i = 0; i < items; ++i)
      shared.payload[places[i]] = payload[i];
  }
  if constexpr (payload_last)
    readPayload(task.payload + first, left, payload);
  if (thread < digits)
    shared.digit_places[thread] = tile_places.find(own_count) - own_begin;

  __syncthreads();
  std::uint32_t packed_digits[(items + 3) / 4] = {}; // four to a register
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t place = i * Shape::threads + thread;
    const std::uint32_t key = shared.keys[place];
    const std::uint32_t own_digit = digitOf(key);
    packed_digits[i / 4] |= own_digit << i % 4 * 8;
    const std::uint32_t to = shared.digit_places[own_digit] + place;
    if (to >= task.size)
      continue;
    task.split_keys[to] = key;
    if constexpr (payload_first)
      task.split_payload[to] = shared.payload[place];
    if (Places::counts_bins && task.bin_counts)
      countBin(shared.keys, place, task.bin_counts, task.bins);
  }
  if constexpr (payload_last) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i)
      shared.payload[places[i]] = payload[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::uint32_t place = i * Shape::threads + thread;
      const std::uint32_t own_digit = packed_digits[i / 4] >> i % 4 * 8 & 255u;
      const std::uint32_t to = shared.digit_places[own_digit] + place;
      if (to < task.size)
        task.split_payload[to] = shared.payload[place];
    }
  }
}

} // namespace device
} // namespace pcl

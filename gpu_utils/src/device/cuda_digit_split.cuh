// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cub/block/block_scan.cuh>
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

// A stable split by one digit of the keys, reading and writing every element once: tiles
// rank their elements in shared memory, and learn from the tiles before them where their
// bins go on (decoupled look-back; Adinets and Merrill 2022, "Onesweep").

namespace pcl {
namespace device {

constexpr int split_threads = 256;
constexpr int split_warps = split_threads / warp_size;
constexpr int max_digits = 256;

/** \brief Elements of a thread: fewer of large payload, for the sake of shared memory. */
template <typename Payload>
constexpr int split_items = sizeof(Payload) <= 4   ? 20
                            : sizeof(Payload) <= 8 ? 12
                                                   : 6;

struct NoPayload {};

template <typename Payload>
constexpr bool has_payload = true;
template <>
constexpr bool has_payload<NoPayload> = false;

/** \brief One pass over a list. */
template <typename Payload>
struct DigitPass {
  const std::uint32_t* keys;
  const Payload* payload;
  std::uint32_t* split_keys;
  Payload* split_payload;
  std::uint32_t size;
  int shift; ///< of the digit in the keys
  const std::uint32_t* digit_starts;
  /** \brief Number of passes that are over, in the memory that \a tile_states lies in. */
  unsigned int* passes;
  /** \brief For every tile and digit: what it has counted so far, see TileState. */
  unsigned long long* tile_states;
};

/** \brief What a tile says of one of its digits. */
struct TileState {
  enum Kind : std::uint32_t { Nothing, Own, WithAllBefore };

  Kind kind;
  std::uint32_t count;
};

/** \brief States are stamped by the pass that they are of: those of others say nothing. */
__device__ inline void
writeState(unsigned long long& word, unsigned int pass, const TileState& state)
{
  const std::uint32_t stamp = pass << 2 | state.kind;
  const unsigned long long bits =
      static_cast<unsigned long long>(stamp) << 32 | state.count;
  ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>(word).store(
      bits, ::cuda::memory_order_relaxed);
}

__device__ inline TileState
readState(unsigned long long& word, unsigned int pass)
{
  const unsigned long long bits =
      ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>(word).load(
          ::cuda::memory_order_relaxed);
  const auto stamp = static_cast<std::uint32_t>(bits >> 32);
  if (stamp >> 2 != (pass & 0x3fffffffu))
    return {TileState::Nothing, 0};
  return {static_cast<TileState::Kind>(stamp & 3), static_cast<std::uint32_t>(bits)};
}

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

/** \brief Sums the counts of one digit over all tiles before; one digit a thread. */
template <int Digits>
__device__ std::uint32_t
countBefore(unsigned long long* tile_states, unsigned int pass, int tile, int digit)
{
  constexpr int window = 4;
  std::uint32_t count = 0;
  for (int last = tile - 1; last >= 0;) {
    TileState states[window];
#pragma unroll
    for (int i = 0; i < window; ++i)
      states[i] =
          last - i >= 0
              ? readState(tile_states[std::size_t(last - i) * Digits + digit], pass)
              : TileState{TileState::Nothing, 0};
#pragma unroll
    for (int i = 0; i < window; ++i) {
      if (last < 0 || states[i].kind == TileState::Nothing)
        break;
      count += states[i].count;
      last = states[i].kind == TileState::WithAllBefore ? -1 : last - 1;
    }
  }
  return count;
}

template <int Bits, typename Payload>
__global__ void
__launch_bounds__(split_threads) splitByDigitKernel(DigitPass<Payload> task)
{
  constexpr int digits = 1 << Bits;
  constexpr int items = split_items<Payload>;
  constexpr int tile_size = items * split_threads;
  static_assert(digits <= split_threads, "a thread looks after one digit at most");
  using BlockScan = cub::BlockScan<std::uint32_t, split_threads>;
  union Shared {
    typename BlockScan::TempStorage scan;
    std::uint32_t warp_counts[split_warps][digits];
    std::uint32_t keys[tile_size];
    Payload payload[tile_size];
  };
  extern __shared__ char shared_bytes[];
  __shared__ std::uint32_t digit_places[digits];
  Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
  waitForPreviousKernel();

  const int thread = threadIdx.x;
  const int lane = thread % warp_size;
  const int warp = thread / warp_size;
  const unsigned int pass = *task.passes + 1;
  const std::uint32_t tile_begin = blockIdx.x * static_cast<std::uint32_t>(tile_size);
  const std::uint32_t first = tile_begin + warp * items * warp_size + lane;
  const auto digitOf = [&](std::uint32_t key) {
    return key >> task.shift & (digits - 1);
  };

  // Where the list ends, the last digit's bin does, too: what is behind stays behind.
  std::uint32_t keys[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t element = first + i * warp_size;
    keys[i] = element < task.size ? task.keys[element] : 0xffffffffu;
  }
  for (int digit = lane; digit < digits; digit += warp_size)
    shared.warp_counts[warp][digit] = 0;
  __syncwarp();

  // Each warp ranks its own elements, row by row.
  std::uint32_t places[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    std::uint32_t& count = shared.warp_counts[warp][digitOf(keys[i])];
    const unsigned int lanes = lanesWithDigit<Bits>(digitOf(keys[i]));
    const unsigned int before = lanes & ((1u << lane) - 1);
    places[i] = count + __popc(before);
    __syncwarp();
    if (before == 0)
      count += __popc(lanes);
    __syncwarp();
  }
  __syncthreads();

  // Each thread one digit: its count in the tile, and where it begins for every warp.
  std::uint32_t own_counts[split_warps];
  std::uint32_t own_count = 0;
  if (thread < digits) {
#pragma unroll
    for (int w = 0; w < split_warps; ++w) {
      own_counts[w] = own_count;
      own_count += shared.warp_counts[w][thread];
    }
  }
  unsigned long long* const own_states =
      task.tile_states + static_cast<std::size_t>(blockIdx.x) * digits;
  if (thread < digits) {
    const auto kind = blockIdx.x == 0 ? TileState::WithAllBefore : TileState::Own;
    writeState(own_states[thread], pass, {kind, own_count});
  }
  __syncthreads();
  std::uint32_t own_begin;
  BlockScan(shared.scan).ExclusiveSum(own_count, own_begin);
  __syncthreads();
  if (thread < digits) {
#pragma unroll
    for (int w = 0; w < split_warps; ++w)
      shared.warp_counts[w][thread] = own_begin + own_counts[w];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i)
    places[i] += shared.warp_counts[warp][digitOf(keys[i])];
  __syncthreads();

#pragma unroll
  for (int i = 0; i < items; ++i)
    shared.keys[places[i]] = keys[i];
  Payload payload[items];
  if constexpr (has_payload<Payload>) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::uint32_t element = first + i * warp_size;
      if (element < task.size)
        payload[i] = task.payload[element];
    }
  }

  if (thread < digits) {
    const std::uint32_t before =
        countBefore<digits>(task.tile_states, pass, blockIdx.x, thread);
    if (blockIdx.x > 0)
      writeState(
          own_states[thread], pass, {TileState::WithAllBefore, before + own_count});
    digit_places[thread] = task.digit_starts[thread] + before - own_begin;
  }
  __syncthreads();
  // All tiles have read the number of passes: they have published something.
  if (thread == 0 && blockIdx.x == gridDim.x - 1)
    *task.passes = pass;

  std::uint32_t to[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::uint32_t place = i * split_threads + thread;
    const std::uint32_t key = shared.keys[place];
    to[i] = digit_places[digitOf(key)] + place;
    if (to[i] < task.size)
      task.split_keys[to[i]] = key;
  }
  if constexpr (has_payload<Payload>) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i)
      shared.payload[places[i]] = payload[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (to[i] < task.size)
        task.split_payload[to[i]] = shared.payload[i * split_threads + thread];
  }
}

} // namespace device
} // namespace pcl

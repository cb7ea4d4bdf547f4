// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_digit_split.cuh"

#include <cuda/atomic>

// Tiles that learn where their elements go from the tiles before them (decoupled look-back,
// Merrill and Garland 2016; for radix sorts Adinets and Merrill 2022). The digits of all
// passes are counted in one reading of the keys, because how often a digit occurs does not
// depend on the order; no pass but that reads the keys without moving them.

namespace pcl {
namespace device {

constexpr int max_digits = 256;
constexpr int max_passes = 3; // for up to 2^22 bins

/** \brief The digits of a list's keys, the lowest first. */
struct DigitLayout {
  int passes;
  int bits[max_passes];
  int shift[max_passes];
};

/** \brief What the passes of a list share; zero before the first. */
struct LookBackCounts {
  std::uint32_t starts[max_passes][max_digits]; ///< first the digits' counts
  unsigned int tickets[max_passes];             ///< tiles that have been begun
  unsigned int counting_ticket;
};

/** \brief Counts the digits of all passes and notes where each begins. */
template <int Threads, int Items>
__global__ void
__launch_bounds__(Threads) countAllDigitsKernel(const std::uint32_t* keys,
                                                std::uint32_t size,
                                                DigitLayout layout,
                                                LookBackCounts* all,
                                                std::uint32_t* list_end)
{
  __shared__ std::uint32_t counts[max_passes][max_digits];
  waitForPreviousKernel();
  for (int i = threadIdx.x; i < max_passes * max_digits; i += Threads)
    counts[i / max_digits][i % max_digits] = 0;
  __syncthreads();
  constexpr std::uint32_t tile_size = Threads * Items;
  const std::uint32_t tiles = (size + tile_size - 1) / tile_size;
  for (std::uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint32_t first = tile * tile_size +
                                threadIdx.x / warp_size * Items * warp_size +
                                threadIdx.x % warp_size;
    std::uint32_t own_keys[Items];
    // Keys behind the end count as the last digit, behind which nothing begins.
    readKeys(keys + first, first < size ? size - first : 0, own_keys);
#pragma unroll
    for (int pass = 0; pass < max_passes; ++pass) {
      if (pass >= layout.passes)
        break;
      const std::uint32_t mask = (1u << layout.bits[pass]) - 1;
#pragma unroll
      for (int i = 0; i < Items; ++i)
        countInWarp(own_keys[i] >> layout.shift[pass] & mask, counts[pass]);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < max_passes * max_digits; i += Threads) {
    const std::uint32_t count = counts[i / max_digits][i % max_digits];
    if (count > 0)
      atomicAdd(&all->starts[i / max_digits][i % max_digits], count);
  }
  // The block's counts have to be there before its ticket is.
  __threadfence();
  __syncthreads();
  if (!isLastBlock(&all->counting_ticket))
    return;
  for (int i = threadIdx.x; i < max_passes * max_digits; i += Threads)
    counts[i / max_digits][i % max_digits] =
        __ldcg(&all->starts[i / max_digits][i % max_digits]);
  __syncthreads();
  for (int i = threadIdx.x; i < layout.passes * max_digits; i += Threads) {
    const int pass = i / max_digits;
    const int own_digit = i % max_digits;
    if (own_digit >> layout.bits[pass] > 0)
      continue;
    std::uint32_t start = 0;
    for (int digit = 0; digit < own_digit; ++digit)
      start += counts[pass][digit];
    all->starts[pass][own_digit] = start;
  }
  if (threadIdx.x == 0)
    *list_end = size;
}

/** \brief Places behind those of the tiles before. */
struct PlacesBehind {
  static constexpr bool counts_bins = true;

  /** \brief What a tile says of one of its digits: nothing yet, how many elements it has,
   * or where they end; and that number. */
  using State = unsigned long long;
  static constexpr State has_count = State(1) << 62;
  static constexpr State has_end = State(1) << 63;

  const std::uint32_t* starts; ///< of the digits
  State* states;               ///< of every tile's digits, zero before
  unsigned int* ticket;        ///< zero before

  template <int Digits>
  struct OfTile {
    const std::uint32_t* starts;
    State* states;
    std::uint32_t tile;

    __device__ explicit OfTile(const PlacesBehind& all)
    : starts(all.starts)
    , states(all.states)
    {
      // Tiles are numbered as they begin, so that a tile never waits for one that cannot
      // begin before it ends.
      __shared__ std::uint32_t own_tile;
      if (threadIdx.x == 0)
        own_tile = atomicAdd(all.ticket, 1u);
      __syncthreads();
      tile = own_tile;
    }

    __device__ cuda::atomic_ref<State, cuda::thread_scope_device>
    state(std::uint32_t of_tile)
    {
      return cuda::atomic_ref<State, cuda::thread_scope_device>(
          states[std::size_t(of_tile) * Digits + threadIdx.x]);
    }

    __device__ void
    announce(std::uint32_t count)
    {
      const State said =
          tile == 0 ? has_end | (starts[threadIdx.x] + count) : has_count | count;
      state(tile).store(said, cuda::memory_order_relaxed);
    }

    __device__ std::uint32_t
    find(std::uint32_t count)
    {
      if (tile == 0)
        return starts[threadIdx.x];
      std::uint32_t place = 0;
      for (std::uint32_t before = tile - 1;; --before) {
        State said = 0;
        do
          said = state(before).load(cuda::memory_order_relaxed);
        while (said == 0);
        place += static_cast<std::uint32_t>(said);
        if (said & has_end)
          break;
      }
      state(tile).store(has_end | (place + count), cuda::memory_order_relaxed);
      return place;
    }
  };
};

} // namespace device
} // namespace pcl

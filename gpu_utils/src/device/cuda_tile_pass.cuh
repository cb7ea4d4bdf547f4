// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_chunk_sort.cuh"

#include <pcl/gpu/utils/device/cuda_launch.cuh>

// A stable split by a digit of up to 11 bits, of a whole list or of some sections of it,
// each for itself: tiles as large as shared memory allows count their digits, the counts of
// each digit in all tiles of a section are scanned, and the tiles bring their elements to
// the places that follow.

namespace pcl {
namespace device {

constexpr int count_threads = 256;

/** \brief A part of a list that is split for itself. */
struct Section {
  std::uint32_t begin; ///< place of its first element
  std::uint32_t size;
  std::uint32_t first_tile; ///< number of tiles of the sections before
  std::uint32_t tiles;
  std::uint32_t first_bin;
};

/** \brief How many sections and tiles there are; only known on the device. */
struct SectionTotals {
  std::uint32_t sections;
  std::uint32_t tiles;
};

/** \brief The sections that a pass splits. */
struct Sections {
  Section whole; ///< the only one, unless there is a list
  const Section* list;
  const SectionTotals* totals;

  __device__ SectionTotals
  numbers() const
  {
    return list ? *totals : SectionTotals{1, whole.tiles};
  }

  __device__ Section
  at(std::uint32_t section) const
  {
    return list ? list[section] : whole;
  }

  __device__ std::uint32_t
  ofTile(std::uint32_t tile, std::uint32_t sections) const
  {
    return lastNotAbove(
        [&](std::uint32_t i) { return list[i].first_tile; }, sections, tile);
  }
};

/** \brief Where the bins go. */
struct BinsOutput {
  std::uint32_t bins;
  std::uint32_t* counts;
  std::uint32_t* starts;

  __device__ void
  set(std::uint32_t bin, std::uint32_t count, std::uint32_t start) const
  {
    if (bin >= bins)
      return;
    counts[bin] = count;
    starts[bin] = start;
  }
};

/** \brief What all kernels of a pass share. */
struct TilePass {
  Sections sections;
  Digit digit;
  std::uint32_t tile_size;
  /** \brief Of every section, digit and tile the number of elements; after the scan, of
   * those in the section's tiles before. */
  std::uint32_t* table;
  std::uint32_t* digit_counts; ///< of every section and digit

  __host__ __device__ std::uint32_t
  digits() const
  {
    return digit.mask + 1;
  }
};

/** \brief A tile, as the blocks that work on it see it. */
struct PassTile {
  std::uint32_t section; ///< its number
  Section in;
  std::uint32_t number; ///< in the section
  std::uint32_t first;  ///< element of the list
  std::uint32_t size;

  __device__
  PassTile(const TilePass& pass, std::uint32_t sections, std::uint32_t tile)
  : section(pass.sections.ofTile(tile, sections))
  , in(pass.sections.at(section))
  {
    number = tile - in.first_tile;
    first = in.begin + number * pass.tile_size;
    size = min(pass.tile_size, in.begin + in.size - first);
  }

  /** \brief The tile's entry in the table. */
  __device__ std::uint32_t
  entry(const TilePass& pass, std::uint32_t digit) const
  {
    return in.first_tile * pass.digits() + digit * in.tiles + number;
  }
};

template <typename List>
__global__ void
__launch_bounds__(count_threads)
    countTilesKernel(TilePass pass, typename List::Read list)
{
  constexpr int batch = 8;
  __shared__ std::uint32_t counts[ChunkShape::max_digits];
  waitForPreviousKernel();
  const SectionTotals totals = pass.sections.numbers();
  for (std::uint32_t t = blockIdx.x; t < totals.tiles; t += gridDim.x) {
    const PassTile tile(pass, totals.sections, t);
    for (std::uint32_t i = threadIdx.x; i < pass.digits(); i += count_threads)
      counts[i] = 0;
    __syncthreads();
    const std::uint32_t lane = threadIdx.x % warp_size;
    for (std::uint32_t begin = threadIdx.x - lane; begin < tile.size;
         begin += batch * count_threads) {
      std::uint32_t digits[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const std::uint32_t element = begin + i * count_threads + lane;
        digits[i] =
            element < tile.size ? pass.digit.of(list.key(tile.first + element)) : 0;
      }
#pragma unroll
      for (int i = 0; i < batch; ++i)
        countDigit(digits[i],
                   begin + i * count_threads + lane < tile.size,
                   [&](std::uint32_t digit, std::uint32_t times) {
                     atomicAdd(&counts[digit], times);
                   });
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < pass.digits(); i += count_threads)
      pass.table[tile.entry(pass, i)] = counts[i];
    __syncthreads();
  }
}

/** \brief Scans the counts of every digit in all tiles of its section, a row of the
 * table.
 *
 * A warp takes one long row, or several short ones of a section side by side.
 */
template <int Threads>
__global__ void
__launch_bounds__(Threads) scanTilesKernel(TilePass pass)
{
  constexpr int batch = 8;
  waitForPreviousKernel();
  const std::uint32_t digits = pass.digits();
  const std::uint32_t sections = pass.sections.numbers().sections;
  const std::uint32_t warps = gridDim.x * (Threads / warp_size);
  const std::uint32_t lane = threadIdx.x % warp_size;
  for (std::uint32_t task = (blockIdx.x * Threads + threadIdx.x) / warp_size;
       task < sections * digits;
       task += warps) {
    const std::uint32_t section = task / digits;
    const Section in = pass.sections.at(section);
    std::uint32_t lanes = warp_size; // of a row
    while (lanes / 2 >= in.tiles)
      lanes /= 2;
    const std::uint32_t first_digit = task % digits * (warp_size / lanes);
    if (first_digit >= digits)
      continue;
    const std::uint32_t digit = first_digit + lane / lanes;
    const std::uint32_t own_lane = lane % lanes;
    const bool has_row = digit < digits;
    std::uint32_t* const row =
        pass.table + in.first_tile * digits + (has_row ? digit : 0) * in.tiles;
    std::uint32_t before = 0;
    for (std::uint32_t first = 0; first < in.tiles; first += batch * lanes) {
      const std::uint32_t own = first + own_lane * batch;
      std::uint32_t counts[batch];
      std::uint32_t sum = 0;
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        counts[i] = has_row && own + i < in.tiles ? row[own + i] : 0;
        sum += counts[i];
      }
      std::uint32_t through = sum;
      for (std::uint32_t distance = 1; distance < lanes; distance *= 2) {
        const std::uint32_t left = __shfl_up_sync(all_lanes, through, distance, lanes);
        through += own_lane >= distance ? left : 0;
      }
      std::uint32_t place = before + through - sum;
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        if (has_row && own + i < in.tiles)
          row[own + i] = place;
        place += counts[i];
      }
      before += __shfl_sync(all_lanes, through, lanes - 1, lanes);
    }
    if (has_row && own_lane == 0)
      pass.digit_counts[section * digits + digit] = before;
  }
}

/** \brief Brings the tiles' elements to their places.
 * \param[in] ahead number of tiles that are under way together
 * \param[in] bins where the sections' digits are bins; else it has no counts
 */
template <typename From, typename To>
__global__ void
__launch_bounds__(ChunkShape::threads, ChunkShape::blocks)
    moveTilesKernel(TilePass pass,
                    typename From::Read from,
                    To to,
                    std::uint32_t ahead,
                    BinsOutput bins)
{
  constexpr int thread_digits = ChunkShape::thread_digits;
  extern __shared__ __align__(16) char shared_bytes[];
  __shared__ typename ChunkScan::TempStorage scan;
  waitForPreviousKernel();
  const SectionTotals totals = pass.sections.numbers();
  Chunk<From> chunk(shared_bytes, pass.tile_size, pass.digit);
  const std::uint32_t own_digit = chunk.firstDigit();
  for (std::uint32_t t = blockIdx.x; t < totals.tiles; t += gridDim.x) {
    const PassTile tile(pass, totals.sections, t);
    std::uint32_t counts[thread_digits] = {};
    chunk.load(from, tile.first, tile.size, [&] {
#pragma unroll
      for (int i = 0; i < thread_digits; ++i) {
        const std::uint32_t digit = own_digit + i;
        if (digit >= pass.digits())
          break;
        counts[i] = pass.digit_counts[tile.section * pass.digits() + digit];
        chunk.digit_places[digit] = pass.table[tile.entry(pass, digit)];
      }
      if (tile.number + ahead < tile.in.tiles) {
        const std::uint32_t next = tile.first + ahead * pass.tile_size;
        from.prefetchElements(next,
                              min(pass.tile_size, tile.in.begin + tile.in.size - next));
      }
    });
    std::uint32_t starts[thread_digits], begins[thread_digits];
    ChunkScan(scan).ExclusiveSum(counts, starts);
    chunk.scanCounts(scan, begins);
#pragma unroll
    for (int i = 0; i < thread_digits; ++i) {
      if (own_digit + i >= pass.digits())
        break;
      starts[i] += tile.in.begin;
      chunk.digit_places[own_digit + i] += starts[i] - begins[i];
      if (bins.counts && tile.number == 0)
        bins.set(tile.in.first_bin + own_digit + i, counts[i], starts[i]);
    }
    if (bins.counts && t == 0 && threadIdx.x == 0)
      bins.starts[bins.bins] = pass.sections.whole.size;
    __syncthreads();
    chunk.findOrder();
    __syncthreads();
    chunk.forAllInOrder([&](std::uint32_t place, const auto& element) {
      to.set(chunk.digit_places[pass.digit.of(element.key)] + place, element);
    });
    __syncthreads();
  }
}

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_chunk_sort.cuh"
#include "cuda_high_digit.cuh"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

// A stable split by a digit of up to 11 bits, of a whole list or of each of its
// sections. Tiles as large as shared memory allows count their digits, the counts of
// each digit in all tiles of a section are scanned, and the tiles move their elements
// to the resulting places.

namespace pcl::device {

constexpr int count_threads = 256;

/** \brief Columns of the table that are scanned side by side. */
constexpr std::uint32_t scan_group = 16;

/** \brief A part of a list that is split by itself. */
struct Section {
  std::uint32_t begin; ///< place of its first element
  std::uint32_t size;
  std::uint32_t first_tile; ///< number of tiles of the sections before
  std::uint32_t tiles;
  std::uint32_t first_bin;
  std::uint32_t first_digit; ///< the bins of those below are set elsewhere
};

/** \brief Numbers of sections and tiles; only the device knows them. */
struct SectionTotals {
  std::uint32_t sections;
  std::uint32_t tiles;
};

/** \brief A list of sections that the device makes. */
struct SectionList {
  Section* list;
  SectionTotals* totals;
};

/** \brief The sections that a pass splits. */
struct Sections {
  Section whole; ///< the only one, unless there is a list
  SectionList large;

  __device__ SectionTotals
  numbers() const
  {
    return large.list ? *large.totals : SectionTotals{1, whole.tiles};
  }

  __device__ Section
  at(std::uint32_t section) const
  {
    return large.list ? large.list[section] : whole;
  }

  __device__ std::uint32_t
  ofTile(std::uint32_t tile, std::uint32_t sections) const
  {
    return lastNotAbove(
        [&](std::uint32_t i) { return large.list[i].first_tile; }, sections, tile);
  }
};

/** \brief Arguments of all kernels of a pass. */
template <typename PassDigit>
struct TilePass {
  Sections sections;
  PassDigit digit;
  std::uint32_t digits; ///< most values that a digit has
  std::uint32_t tile_size;
  /** \brief For every tile and digit the number of elements; after the scan, the number
   * in the section's tiles before. */
  std::uint32_t* table;
  std::uint32_t* digit_counts; ///< of every section and digit
  // Only for a list that is split as a whole.
  std::uint32_t* digit_starts; ///< and the end of the last
  std::uint32_t* scanned;      ///< the number of blocks that are done with the table
};

/** \brief A tile, as its block sees it. */
struct PassTile {
  std::uint32_t section; ///< its number
  Section in;
  std::uint32_t number; ///< in the section
  std::uint32_t first;  ///< element of the list
  std::uint32_t size;

  template <typename PassDigit>
  __device__
  PassTile(const TilePass<PassDigit>& pass, std::uint32_t sections, std::uint32_t tile)
  : section(pass.sections.ofTile(tile, sections))
  , in(pass.sections.at(section))
  {
    number = tile - in.first_tile;
    first = in.begin + number * pass.tile_size;
    size = min(pass.tile_size, in.begin + in.size - first);
  }
};

/** \brief The keys of a list that a warp counts together, in rows. */
template <int Rows>
struct KeyRows {
  std::uint32_t keys[Rows];

  /** \brief Reads the keys; those behind the end repeat the last. */
  template <typename Read>
  __device__
  KeyRows(const Read& list, std::uint32_t first, std::uint32_t end)
  {
#pragma unroll
    for (int row = 0; row < Rows; ++row)
      keys[row] =
          list.key(min(first + row * warp_size + threadIdx.x % warp_size, end - 1));
  }

  /** \brief Returns whether no key is larger than the next.
   * \param[in] next the key behind the last
   */
  __device__ bool
  areOrdered(std::uint32_t next) const
  {
    const std::uint32_t lane = threadIdx.x % warp_size;
    bool are_ordered = true;
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const std::uint32_t of_next_row = row + 1 < Rows ? keys[row + 1] : next;
      const std::uint32_t behind = __shfl_sync(
          all_lanes, lane == 0 ? of_next_row : keys[row], (lane + 1) % warp_size);
      are_ordered = are_ordered && keys[row] <= behind;
    }
    return __all_sync(all_lanes, are_ordered);
  }
};

/** \brief Counts the digits of all tiles. The first pass also checks whether the list
 * is sorted already. */
template <typename List, typename PassDigit>
__global__ void
__launch_bounds__(count_threads)
    countTilesKernel(TilePass<PassDigit> pass, typename List::Read list)
{
  if constexpr (!has_large_blocks)
    return;
  constexpr int rows = 8;
  __shared__ std::uint32_t counts[ChunkLimits::max_digits];
  __shared__ decltype(pass.digit.get()) digit;
  waitForPreviousKernel();
  const std::uint32_t lane = threadIdx.x % warp_size;
  const std::uint32_t list_size = pass.sections.whole.size;
  if constexpr (PassDigit::is_of_whole_list)
    if (threadIdx.x == 0 && blockIdx.x == 0)
      *pass.scanned = 0;
  if (threadIdx.x < warp_size) {
    if constexpr (PassDigit::is_first) {
      HighDigit chosen = pass.digit.without_window;
      if (pass.digit.may_have_window)
        chosen = fitWindow(chosen, list, list_size);
      if (lane == 0)
        digit = chosen;
      if (lane == 0 && blockIdx.x == 0)
        pass.digit.spread->digit = chosen;
    }
    else if (lane == 0)
      digit = pass.digit.get();
  }
  const SectionTotals totals = pass.sections.numbers();
  for (std::uint32_t t = blockIdx.x; t < totals.tiles; t += gridDim.x) {
    const PassTile tile(pass, totals.sections, t);
    // The next keys are loaded while the present ones are counted.
    std::uint32_t first = tile.first + (threadIdx.x - lane) * rows;
    const std::uint32_t end = tile.first + tile.size;
    // The check of the order needs the key behind a tile; there may be none behind a
    // section.
    const std::uint32_t read_end = PassDigit::is_first ? list_size : end;
    KeyRows<rows> next(list, first, read_end);
    for (std::uint32_t i = threadIdx.x; i < pass.digits; i += count_threads)
      counts[i] = 0;
    __syncthreads();
    const auto of = digit;
    bool is_ordered = true;
    if (first < end) {
      do {
        KeyRows<rows> now = next;
        const std::uint32_t own = first + lane;
        first += rows * count_threads;
        if (first < end)
          next = KeyRows<rows>(list, first, read_end);
        if constexpr (PassDigit::is_first)
          if (is_ordered) {
            const std::uint32_t behind =
                min(own - lane + rows * warp_size, list_size - 1);
            is_ordered = now.areOrdered(list.key(behind));
          }
        of.inSimplestForm([&](const auto& form) {
#pragma unroll
          for (int row = 0; row < rows; ++row)
            now.keys[row] = form.of(now.keys[row]);
        });
#pragma unroll
        for (int row = 0; row < rows; ++row)
          countDigit(now.keys[row],
                     own + row * warp_size < end,
                     [&](std::uint32_t key_digit, std::uint32_t times) {
                       atomicAdd(&counts[key_digit], times);
                     });
      }
      while (first < end);
    }
    const bool all_ordered = __syncthreads_and(is_ordered);
    for (std::uint32_t i = threadIdx.x; i < pass.digits; i += count_threads)
      pass.table[t * pass.digits + i] = counts[i];
    if constexpr (PassDigit::is_first)
      if (threadIdx.x == 0)
        pass.digit.tile_is_ordered[t] = all_ordered;
  }
}

/** \brief Counts and starts of the digits of a whole list, after all are counted. */
struct DigitTotals {
  static constexpr int own = ChunkLimits::thread_digits;

  std::uint32_t first; ///< of the thread's digits
  std::uint32_t counts[own], starts[own];

  template <typename PassDigit>
  __device__
  DigitTotals(const TilePass<PassDigit>& pass, ChunkLimits::Scan::TempStorage& scan)
  : first(threadIdx.x * own)
  {
#pragma unroll
    for (int i = 0; i < own; ++i)
      counts[i] = first + i < pass.digits ? __ldcg(pass.digit_counts + first + i) : 0;
    std::uint32_t size;
    ChunkLimits::Scan(scan).ExclusiveSum(counts, starts, size);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < own; ++i)
      if (first + i < pass.digits)
        pass.digit_starts[first + i] = starts[i];
    if (threadIdx.x == 0)
      pass.digit_starts[pass.digits] = size;
  }
};

/** \brief Scans the counts of every digit in all tiles of its section, a column of the
 * table.
 *
 * Half a warp scans neighbouring columns, one for each lane. In long columns the halves
 * of a block's warps follow each other.
 * \param[in] and_then step of the last block after the digits of a whole list are
 * counted; unused for sections
 */
template <typename PassDigit, typename AndThen>
__global__ void
__launch_bounds__(ChunkLimits::threads)
    scanTilesKernel(TilePass<PassDigit> pass, AndThen and_then)
{
  if constexpr (!has_large_blocks)
    return;
  constexpr std::uint32_t slices = ChunkLimits::threads / scan_group;
  constexpr int batch = 32;
  __shared__ std::uint32_t sums[slices][scan_group];
  waitForPreviousKernel();
  const std::uint32_t lane = threadIdx.x % scan_group;
  const std::uint32_t slice = threadIdx.x / scan_group;
  const std::uint32_t digits = pass.digits;
  if constexpr (PassDigit::is_first)
    if (blockIdx.x == 0) {
      bool are_ordered = true;
      for (std::uint32_t t = threadIdx.x; t < pass.sections.whole.tiles;
           t += ChunkLimits::threads)
        are_ordered = are_ordered && pass.digit.tile_is_ordered[t];
      are_ordered = __syncthreads_and(are_ordered);
      if (threadIdx.x == 0)
        pass.digit.spread->is_ordered = are_ordered;
    }
  const std::uint32_t groups = (digits + scan_group - 1) / scan_group;
  const std::uint32_t sections = pass.sections.numbers().sections;
  for (std::uint32_t task = blockIdx.x; task < sections * groups; task += gridDim.x) {
    const std::uint32_t section = task / groups;
    const Section in = pass.sections.at(section);
    std::uint32_t column_slices = 1;
    while (column_slices < slices && column_slices * batch < in.tiles)
      column_slices *= 2;
    const std::uint32_t own_slice = slice % column_slices;
    const std::uint32_t first_group = task % groups * (slices / column_slices);
    if (first_group >= groups)
      continue;
    const std::uint32_t digit =
        (first_group + slice / column_slices) * scan_group + lane;
    const std::uint32_t rows = digit < digits ? in.tiles : 0;
    std::uint32_t* const column = pass.table + in.first_tile * digits + digit;
    std::uint32_t before = 0;
    for (std::uint32_t first = 0; first < in.tiles; first += column_slices * batch) {
      const std::uint32_t own = first + own_slice * batch;
      std::uint32_t counts[batch];
      std::uint32_t sum = 0;
#pragma unroll
      for (int i = 0; i < batch; ++i)
        counts[i] = own + i < rows ? column[(own + i) * digits] : 0;
#pragma unroll
      for (int i = 0; i < batch; ++i)
        sum += counts[i];
      sums[slice][lane] = sum;
      __syncthreads();
      std::uint32_t place = before;
      for (std::uint32_t i = 0; i < column_slices; ++i) {
        const std::uint32_t of_slice = sums[slice - own_slice + i][lane];
        place += i < own_slice ? of_slice : 0;
        before += of_slice;
      }
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        if (own + i < rows)
          column[(own + i) * digits] = place;
        place += counts[i];
      }
      __syncthreads();
    }
    if (own_slice == 0 && digit < digits)
      pass.digit_counts[section * digits + digit] = before;
  }
  if constexpr (PassDigit::is_of_whole_list) {
    __syncthreads();
    if (isLastBlock(pass.scanned))
      and_then(pass);
  }
}

/** \brief Step after the scan if the digits are the bins: sets the bins. */
struct SetBins {
  BinsOutput bins;

  __device__ void
  operator()(const TilePass<OnlyDigit>& pass) const
  {
    __shared__ ChunkLimits::Scan::TempStorage scan;
    const DigitTotals totals(pass, scan);
#pragma unroll
    for (int i = 0; i < DigitTotals::own; ++i)
      bins.set(totals.first + i, totals.counts[i], totals.starts[i]);
    if (threadIdx.x == 0)
      bins.starts[bins.bins] = pass.sections.whole.size;
  }
};

/** \brief Destination of the first of two passes; that of others is a list. */
template <typename Between, typename Result>
struct ToEither {
  Between between;
  Result result;

  __device__ void
  set(std::uint32_t i,
      const Element<typename Result::PayloadType>& element,
      bool is_final) const
  {
    if (is_final)
      result.set(i, element);
    else
      between.set(i, element);
  }
};

/** \brief Copies elements to the same places of another list. */
template <typename Shape, typename Read, typename To>
__device__ void
copyElements(const Read& from, std::uint32_t first, std::uint32_t size, const To& to)
{
  // As many as registers allow.
  constexpr int batch =
      Shape::blocks > 1 || sizeof(typename To::PayloadType) > 4 ? 4 : 8;
  for (std::uint32_t i = threadIdx.x; i < size; i += batch * Shape::threads) {
    Element<typename To::PayloadType> elements[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j)
      if (i + j * Shape::threads < size)
        elements[j] = from.get(first + i + j * Shape::threads);
#pragma unroll
    for (int j = 0; j < batch; ++j)
      if (i + j * Shape::threads < size)
        to.set(first + i + j * Shape::threads, elements[j]);
  }
}

/** \brief Moves the tiles' elements to their places.
 * \param[in] ahead number of tiles in progress at once
 * \param[in] bins output, if the sections' digits are bins
 */
template <typename From, typename To, typename PassDigit, typename Shape>
__global__ void
__launch_bounds__(Shape::threads, Shape::blocks)
    moveTilesKernel(TilePass<PassDigit> pass,
                    typename From::Read from,
                    To to,
                    std::uint32_t ahead,
                    BinsOutput bins)
{
  if constexpr (!has_large_blocks)
    return;
  constexpr int thread_digits = Shape::thread_digits;
  extern __shared__ __align__(16) char shared_bytes[];
  __shared__ typename Shape::Scan::TempStorage scan;
  waitForPreviousKernel();
  const SectionTotals totals = pass.sections.numbers();
  const auto digit = pass.digit.get();
  Chunk<From, decltype(pass.digit.get()), Shape> chunk(
      shared_bytes, pass.tile_size, digit);
  const std::uint32_t own_digit = chunk.firstDigit();
  for (std::uint32_t t = blockIdx.x; t < totals.tiles; t += gridDim.x) {
    const PassTile tile(pass, totals.sections, t);
    if constexpr (PassDigit::is_first)
      if (pass.digit.spread->is_ordered) {
        copyElements<Shape>(from, tile.first, tile.size, to.result);
        continue;
      }
    const std::uint32_t* const before = pass.table + t * pass.digits;
    std::uint32_t counts[thread_digits] = {}, starts[thread_digits] = {};
    chunk.load(from, tile.first, tile.size, [&] {
#pragma unroll
      for (int i = 0; i < thread_digits; ++i) {
        if (own_digit + i >= digit.digits())
          break;
        chunk.digit_places[own_digit + i] = before[own_digit + i];
        if constexpr (PassDigit::is_of_whole_list)
          starts[i] = pass.digit_starts[own_digit + i];
        else
          counts[i] = pass.digit_counts[tile.section * pass.digits + own_digit + i];
      }
      if (tile.number + ahead < tile.in.tiles) {
        const std::uint32_t next = tile.first + ahead * pass.tile_size;
        from.prefetchElements(next,
                              min(pass.tile_size, tile.in.begin + tile.in.size - next));
      }
    });
    if constexpr (!PassDigit::is_of_whole_list) {
      typename Shape::Scan(scan).ExclusiveSum(counts, starts);
#pragma unroll
      for (int i = 0; i < thread_digits; ++i) {
        starts[i] += tile.in.begin;
        if (tile.number == 0 && own_digit + i >= tile.in.first_digit &&
            own_digit + i < digit.digits())
          bins.set(tile.in.first_bin + own_digit + i, counts[i], starts[i]);
      }
    }
    std::uint32_t begins[thread_digits];
    chunk.scanCounts(scan, begins);
#pragma unroll
    for (int i = 0; i < thread_digits; ++i)
      if (own_digit + i < digit.digits())
        chunk.digit_places[own_digit + i] += starts[i] - begins[i];
    __syncthreads();
    chunk.findOrder();
    __syncthreads();
    digit.inSimplestForm([&](const auto& form) {
      chunk.forAllInOrder([&](std::uint32_t place, const auto& element) {
        const std::uint32_t of = form.of(element.key);
        const std::uint32_t i = chunk.digit_places[of] + place;
        if constexpr (PassDigit::is_first)
          to.set(i, element, form.isFinal(of));
        else
          to.set(i, element);
      });
    });
    __syncthreads();
  }
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_digit_split.hpp"
#include "split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <omp.h>

#include <algorithm>
#include <utility>

namespace pcl::device {

namespace {

/** \brief Number of elements that is worth another thread. */
constexpr std::size_t elements_per_thread = 1 << 14;
/** \brief Most elements that are moved within the second-level cache of a core. */
constexpr std::size_t max_cached = 1 << 15;

/** \brief The digits that a list is split by: first the high one, then within its bins
 * the low one. */
struct Levels {
  Digit high; ///< without bits if one level is enough
  Digit low;

  explicit Levels(const SplitTask& task)
  {
    const int bits = bitsFor(task.bins.bins);
    int low_bits = bits;
    if (bits > Digit::max_bits) {
      // The fewest high bits whose bins fit into the cache if keys are spread evenly.
      const int enough = bitsFor(static_cast<std::uint32_t>(task.size >> 14));
      low_bits = bits - std::clamp(enough, bits - Digit::max_bits, Digit::max_bits);
    }
    low = {0, low_bits};
    high = {low_bits, bits - low_bits};
  }
};

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  Levels levels;
  int threads;
  std::size_t values;          ///< of the digit with most of them, or more
  std::size_t buffer_size;     ///< elements that a thread moves
  std::uint32_t* counts;       ///< of every thread
  std::uint32_t* first_places; ///< of every thread
  Element<Payload>* buffers;   ///< of every thread
  BinsOutput high_bins;        ///< of the high digit
  List<Payload> list{};        ///< between two levels
  std::size_t bytes;

  Scratch(const SplitTask& task, void* memory)
  : levels(task)
  , threads(static_cast<int>(std::min<std::size_t>(
        omp_get_max_threads(), 1 + task.size / elements_per_thread)))
  {
    ScratchPieces pieces(memory);
    const std::uint32_t high_values = levels.high.values();
    // Whole cache lines, because threads write their counts at the same time.
    values = std::max<std::size_t>({levels.low.values(), high_values, line});
    buffer_size = std::max(values * line, std::min(task.size, max_cached));
    buffer_size = (buffer_size + line - 1) / line * line;
    counts = pieces.take<std::uint32_t>(threads * values);
    first_places = pieces.take<std::uint32_t>(threads * values);
    buffers = pieces.take<Element<Payload>>(threads * buffer_size);
    high_bins = {high_values,
                 pieces.take<std::uint32_t>(high_values),
                 pieces.take<std::uint32_t>(high_values)};
    if (levels.high.bits > 0) {
      list.keys = pieces.take<std::uint32_t>(task.size);
      if constexpr (has_payload<Payload>)
        list.payload = pieces.take<Payload>(task.size);
    }
    bytes = pieces.bytes();
  }
};

/** \brief Split of parts of a list by one digit. */
template <typename Payload>
struct DigitSplit {
  ConstList<Payload> from;
  List<Payload> to;
  Digit digit;
  const Scratch<Payload>& scratch;

  /** \brief Splits a part with all threads, each of which takes a run of it. */
  void
  byAllThreads(Run part, const BinsOutput& bins) const
  {
#pragma omp parallel num_threads(scratch.threads)
    {
      const int thread = omp_get_thread_num();
      const int threads = omp_get_num_threads();
      const Run run{part.begin + part.size() * thread / threads,
                    part.begin + part.size() * (thread + 1) / threads};
      countDigits(from.keys, run, digit, countsOf(thread));
#pragma omp barrier
#pragma omp single
      countsToPlaces(0, threads, part.begin, bins);
      move(run, thread, threads == 1);
    }
  }

  /** \brief Splits a part with the calling thread. */
  void
  byOneThread(Run part, const BinsOutput& bins, int thread) const
  {
    countDigits(from.keys, part, digit, countsOf(thread));
    countsToPlaces(thread, 1, part.begin, bins);
    move(part, thread, true);
  }

  std::uint32_t*
  countsOf(int thread) const
  {
    return scratch.counts + thread * scratch.values;
  }

  /** \brief Turns the counts of some threads into the places of their first
   * elements. */
  void
  countsToPlaces(int first_thread,
                 int threads,
                 std::size_t begin,
                 const BinsOutput& bins) const
  {
    auto place = static_cast<std::uint32_t>(begin);
    for (std::uint32_t value = 0; value < digit.values(); ++value) {
      const std::uint32_t start = place;
      for (int thread = first_thread; thread < first_thread + threads; ++thread) {
        std::uint32_t& count = countsOf(thread)[value];
        place += std::exchange(count, place);
      }
      bins.set(value, place - start, start);
    }
  }

  /** \param[in] whole whether all elements of the run's part are in the run */
  void
  move(Run run, int thread, bool whole) const
  {
    if (run.size() == 0)
      return;
    std::uint32_t* const places = countsOf(thread);
    std::uint32_t* const first_places = scratch.first_places + thread * scratch.values;
    Element<Payload>* const buffer = scratch.buffers + thread * scratch.buffer_size;
    if (whole && run.size() <= max_cached)
      moveInCache(from, run, to, digit, places, buffer);
    else {
      std::copy_n(places, digit.values(), first_places);
      LineWriter<Payload>{to, digit, places, first_places, buffer}.move(from, run);
    }
    finishStreams();
  }
};

/** \brief Splits each bin of the high digit by the low one. */
template <typename Payload>
void
splitBins(const DigitSplit<Payload>& split, const SplitTask& task)
{
  const BinsOutput& bins = task.bins;
  const BinsOutput& high_bins = split.scratch.high_bins;
  const int threads = split.scratch.threads;
  const auto partOf = [&](std::uint32_t high) {
    const std::size_t begin = high_bins.starts[high];
    return Run{begin, begin + high_bins.counts[high]};
  };
  const auto binsOf = [&](std::uint32_t high) {
    const std::uint32_t first = std::min(high << split.digit.bits, bins.bins);
    return BinsOutput{bins.bins - first, bins.counts + first, bins.starts + first};
  };
  // A bin that holds much of the list would keep one thread busy when the others are
  // done.
  const std::size_t large = std::max(max_cached, task.size / (4 * threads));
  for (std::uint32_t high = 0; high < high_bins.bins; ++high)
    if (partOf(high).size() > large)
      split.byAllThreads(partOf(high), binsOf(high));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::uint32_t high = 0; high < high_bins.bins; ++high)
    if (partOf(high).size() <= large)
      split.byOneThread(partOf(high), binsOf(high), omp_get_thread_num());
}

} // namespace

namespace host {

std::size_t
splitScratchBytes(const SplitTask& task)
{
  return withPayload<Payload8, Payload16>(task, [&](auto payload) {
    return Scratch<decltype(payload)>(task, nullptr).bytes;
  });
}

void
split(const SplitTask& task)
{
  withPayload<Payload8, Payload16>(task, [&](auto payload) {
    using Payload = decltype(payload);
    const Scratch<Payload> scratch(task, task.scratch);
    const Levels& levels = scratch.levels;
    const Run whole{0, task.size};
    DigitSplit<Payload> by_low{
        {task.keys, static_cast<const Payload*>(task.payload)},
        {task.split_keys, static_cast<Payload*>(task.split_payload)},
        levels.low,
        scratch};
    if (levels.high.bits == 0)
      by_low.byAllThreads(whole, task.bins);
    else {
      DigitSplit<Payload>{by_low.from, scratch.list, levels.high, scratch}.byAllThreads(
          whole, scratch.high_bins);
      by_low.from = {scratch.list.keys, scratch.list.payload};
      splitBins(by_low, task);
    }
  });
  task.bins.starts[task.bins.bins] = static_cast<std::uint32_t>(task.size);
}

void
numberBins(const SegmentBins& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t segment = 0; segment < task.segments; ++segment) {
    const std::size_t end =
        std::min<std::size_t>(task.segment_starts[segment + 1], task.size);
    const auto first_bin = static_cast<std::uint32_t>(segment * task.bins);
    for (std::size_t i = task.segment_starts[segment]; i < end; ++i)
      task.numbered[i] = first_bin + (task.keys ? task.keys[i] : 0);
  }
}

} // namespace host

} // namespace pcl::device

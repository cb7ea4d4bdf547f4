// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_digit_split.hpp"
#include "split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <omp.h>

#include <algorithm>
#include <cstring>
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
    const int bits = bitsFor(task.bins);
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

/** \brief Output of the bins of a part of a list. */
struct Bins {
  std::uint32_t* counts;
  std::uint32_t* starts;
  std::uint32_t number; ///< of the digit's values that are bins

  void
  note(std::uint32_t bin, std::uint32_t start, std::uint32_t count) const
  {
    if (bin >= number)
      return;
    starts[bin] = start;
    counts[bin] = count;
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
  Bins high_bins;              ///< of the high digit
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
    high_bins = {pieces.take<std::uint32_t>(high_values),
                 pieces.take<std::uint32_t>(high_values),
                 high_values};
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
  byAllThreads(Run part, const Bins& bins) const
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
  byOneThread(Run part, const Bins& bins, int thread) const
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
                 const Bins& bins) const
  {
    auto place = static_cast<std::uint32_t>(begin);
    for (std::uint32_t value = 0; value < digit.values(); ++value) {
      const std::uint32_t start = place;
      for (int thread = first_thread; thread < first_thread + threads; ++thread) {
        std::uint32_t& count = countsOf(thread)[value];
        place += std::exchange(count, place);
      }
      bins.note(value, start, place - start);
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
  const Bins& high_bins = split.scratch.high_bins;
  const int threads = split.scratch.threads;
  const auto partOf = [&](std::uint32_t high) {
    const std::size_t begin = high_bins.starts[high];
    return Run{begin, begin + high_bins.counts[high]};
  };
  const auto binsOf = [&](std::uint32_t high) {
    const std::uint32_t first = std::min(high << split.digit.bits, task.bins);
    return Bins{task.counts + first, task.starts + first, task.bins - first};
  };
  // A bin that holds much of the list would keep one thread busy when the others are
  // done.
  const std::size_t large = std::max(max_cached, task.size / (4 * threads));
  for (std::uint32_t high = 0; high < high_bins.number; ++high)
    if (partOf(high).size() > large)
      split.byAllThreads(partOf(high), binsOf(high));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::uint32_t high = 0; high < high_bins.number; ++high)
    if (partOf(high).size() <= large)
      split.byOneThread(partOf(high), binsOf(high), omp_get_thread_num());
}

std::size_t
listBytes(const SplitTask& task)
{
  return withPayload<Payload8, Payload16>(task, [&](auto payload) {
    return Scratch<decltype(payload)>(task, nullptr).bytes;
  });
}

void
splitList(const SplitTask& task)
{
  withPayload<Payload8, Payload16>(task, [&](auto payload) {
    using Payload = decltype(payload);
    const Scratch<Payload> scratch(task, task.scratch);
    const Levels& levels = scratch.levels;
    const Run whole{0, task.size};
    DigitSplit<Payload> split{
        {task.keys, static_cast<const Payload*>(task.payload)},
        {task.split_keys, static_cast<Payload*>(task.split_payload)},
        levels.low,
        scratch};
    if (levels.high.bits == 0)
      split.byAllThreads(whole, {task.counts, task.starts, task.bins});
    else {
      DigitSplit<Payload>{split.from, scratch.list, levels.high, scratch}.byAllThreads(
          whole, scratch.high_bins);
      split.from = {scratch.list.keys, scratch.list.payload};
      splitBins(split, task);
    }
  });
  task.starts[task.bins] = static_cast<std::uint32_t>(task.size);
}

/** \brief Splits with payloads of other sizes, which are fetched when the elements'
 * order is known. */
void
splitByOrder(const SplitTask& task)
{
  ScratchPieces pieces(static_cast<char*>(task.scratch) + listBytes(task));
  auto* const elements = pieces.take<std::uint32_t>(task.size);
  auto* const order = pieces.take<std::uint32_t>(task.size);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(task.size); ++i)
    elements[i] = static_cast<std::uint32_t>(i);
  SplitTask order_task = task;
  order_task.payload = elements;
  order_task.payload_bytes = sizeof(std::uint32_t);
  order_task.split_payload = order;
  splitList(order_task);
  const std::size_t bytes = task.payload_bytes;
  const char* const from = static_cast<const char*>(task.payload);
  char* const to = static_cast<char*>(task.split_payload);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(task.size); ++i)
    std::memcpy(to + i * bytes, from + order[i] * bytes, bytes);
}

/** \brief Calls work(i, n) for all places i of a list of parts, of which n is the
 * part. */
template <typename Work>
void
forEachInParts(const std::uint32_t* starts,
               std::size_t parts,
               std::size_t size,
               const Work& work)
{
#pragma omp parallel for schedule(static)
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t end = std::min<std::size_t>(starts[part + 1], size);
    for (std::size_t i = starts[part]; i < end; ++i)
      work(i, static_cast<std::uint32_t>(part));
  }
}

} // namespace

namespace host {

std::size_t
splitScratchBytes(const SplitTask& task)
{
  ScratchPieces pieces(nullptr);
  pieces.take<char>(listBytes(task));
  if (wordBytes(task) < 0) {
    pieces.take<std::uint32_t>(task.size);
    pieces.take<std::uint32_t>(task.size);
  }
  return pieces.bytes();
}

void
split(const SplitTask& task)
{
  if (wordBytes(task) < 0)
    splitByOrder(task);
  else
    splitList(task);
}

void
numberBins(const SegmentBins& task)
{
  forEachInParts(task.segment_starts,
                 task.segments,
                 task.size,
                 [&](std::size_t i, std::uint32_t segment) {
                   task.numbered[i] = segment * task.bins + task.keys[i];
                 });
}

void
findElements(const KeyElements& task)
{
  forEachInParts(
      task.key_starts,
      task.elements,
      task.keys,
      [&](std::size_t i, std::uint32_t element) { task.element_of_key[i] = element; });
}

} // namespace host

} // namespace pcl::device

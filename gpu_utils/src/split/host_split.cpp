// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_digit_split.hpp"
#include "split.h"

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

std::size_t
aligned(std::size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

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
  int threads;
  std::size_t values; ///< of the digit with most of them
  std::size_t high_values;
  std::size_t size;
  bool has_list;

  explicit Scratch(const SplitTask& task)
  : threads(static_cast<int>(std::min<std::size_t>(
        omp_get_max_threads(), 1 + task.size / elements_per_thread)))
  , size(task.size)
  {
    const Levels levels(task);
    high_values = levels.high.values();
    values = std::max(levels.low.values(), levels.high.values());
    has_list = levels.high.bits > 0;
  }

  std::size_t
  countBytes() const
  {
    return aligned(values * sizeof(std::uint32_t));
  }

  std::size_t
  threadBytes() const
  {
    const std::size_t elements = std::max(values * line, std::min(size, max_cached));
    return 2 * countBytes() + aligned(elements * sizeof(Element<Payload>));
  }

  std::size_t
  binBytes() const
  {
    return aligned(2 * high_values * sizeof(std::uint32_t));
  }

  std::size_t
  keyBytes() const
  {
    return aligned(size * sizeof(std::uint32_t));
  }

  std::size_t
  bytes() const
  {
    constexpr std::size_t payload_bytes = has_payload<Payload> ? sizeof(Payload) : 0;
    const std::size_t list_bytes = keyBytes() + aligned(size * payload_bytes);
    return threads * threadBytes() + binBytes() + (has_list ? list_bytes : 0);
  }

  std::uint32_t*
  counts(void* memory, int thread) const
  {
    return reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) +
                                            thread * threadBytes());
  }

  std::uint32_t*
  firstPlaces(void* memory, int thread) const
  {
    return counts(memory, thread) + countBytes() / sizeof(std::uint32_t);
  }

  /** \brief Returns memory for the elements that a thread moves. */
  Element<Payload>*
  buffer(void* memory, int thread) const
  {
    return reinterpret_cast<Element<Payload>*>(
        reinterpret_cast<char*>(counts(memory, thread)) + 2 * countBytes());
  }

  /** \brief Returns the bins of the high digit. */
  Bins
  highBins(void* memory) const
  {
    std::uint32_t* const bins = counts(memory, threads);
    return {bins, bins + high_values, static_cast<std::uint32_t>(high_values)};
  }

  List<Payload>
  list(void* memory) const
  {
    char* const begin =
        static_cast<char*>(memory) + threads * threadBytes() + binBytes();
    return {reinterpret_cast<std::uint32_t*>(begin),
            reinterpret_cast<Payload*>(begin + keyBytes())};
  }
};

/** \brief Split of parts of a list by one digit, with its scratch memory. */
template <typename Payload>
class DigitSplit {
public:
  DigitSplit(const ConstList<Payload>& from,
             const List<Payload>& to,
             Digit digit,
             const Scratch<Payload>& scratch,
             void* memory)
  : from_(from)
  , to_(to)
  , digit_(digit)
  , scratch_(scratch)
  , memory_(memory)
  {}

  /** \brief Splits a part with all threads, each of which takes a run of it. */
  void
  byAllThreads(Run part, const Bins& bins) const
  {
#pragma omp parallel num_threads(scratch_.threads)
    {
      const int thread = omp_get_thread_num();
      const int threads = omp_get_num_threads();
      const Run run{part.begin + part.size() * thread / threads,
                    part.begin + part.size() * (thread + 1) / threads};
      countDigits(from_.keys, run, digit_, scratch_.counts(memory_, thread));
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
    countDigits(from_.keys, part, digit_, scratch_.counts(memory_, thread));
    countsToPlaces(thread, 1, part.begin, bins);
    move(part, thread, true);
  }

private:
  /** \brief Turns the counts of some threads into the places of their first
   * elements. */
  void
  countsToPlaces(int first_thread,
                 int threads,
                 std::size_t begin,
                 const Bins& bins) const
  {
    auto place = static_cast<std::uint32_t>(begin);
    for (std::uint32_t value = 0; value < digit_.values(); ++value) {
      const std::uint32_t start = place;
      for (int thread = first_thread; thread < first_thread + threads; ++thread) {
        std::uint32_t& count = scratch_.counts(memory_, thread)[value];
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
    std::uint32_t* const places = scratch_.counts(memory_, thread);
    Element<Payload>* const buffer = scratch_.buffer(memory_, thread);
    if (whole && run.size() <= max_cached)
      moveInCache(from_, run, to_, digit_, places, buffer);
    else
      LineWriter<Payload>(
          to_, digit_, places, scratch_.firstPlaces(memory_, thread), buffer)
          .move(from_, run);
    finishStreams();
  }

  ConstList<Payload> from_;
  List<Payload> to_;
  Digit digit_;
  const Scratch<Payload>& scratch_;
  void* memory_;
};

/** \brief Splits each bin of the high digit by the low one. */
template <typename Payload>
void
splitBins(const DigitSplit<Payload>& split,
          const Bins& high_bins,
          const Levels& levels,
          const SplitTask& task,
          int threads)
{
  const auto partOf = [&](std::uint32_t high) {
    const std::size_t begin = high_bins.starts[high];
    return Run{begin, begin + high_bins.counts[high]};
  };
  const auto binsOf = [&](std::uint32_t high) {
    const std::uint32_t first = std::min(high << levels.low.bits, task.bins);
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

template <typename Payload>
void
splitList(const SplitTask& task)
{
  void* const memory = task.scratch;
  const Levels levels(task);
  const Scratch<Payload> scratch(task);
  const Run whole{0, task.size};
  ConstList<Payload> from{task.keys, static_cast<const Payload*>(task.payload)};
  const List<Payload> result{task.split_keys,
                             static_cast<Payload*>(task.split_payload)};
  if (levels.high.bits == 0) {
    const DigitSplit<Payload> split(from, result, levels.low, scratch, memory);
    split.byAllThreads(whole, {task.counts, task.starts, task.bins});
  }
  else {
    const List<Payload> list = scratch.list(memory);
    const Bins high_bins = scratch.highBins(memory);
    DigitSplit<Payload>(from, list, levels.high, scratch, memory)
        .byAllThreads(whole, high_bins);
    from = {list.keys, list.payload};
    const DigitSplit<Payload> split(from, result, levels.low, scratch, memory);
    splitBins(split, high_bins, levels, task, scratch.threads);
  }
  task.starts[task.bins] = static_cast<std::uint32_t>(task.size);
}

/** \brief Scratch memory for payloads of other sizes, which are fetched when the
 * elements' order is known. */
struct OrderedScratch {
  std::size_t list_bytes;
  std::size_t size;

  explicit OrderedScratch(const SplitTask& task)
  : list_bytes(aligned(Scratch<std::uint32_t>(task).bytes()))
  , size(task.size)
  {}

  std::size_t
  bytes() const
  {
    return list_bytes + 2 * aligned(size * sizeof(std::uint32_t));
  }
};

void
splitByOrder(const SplitTask& task)
{
  void* const memory = task.scratch;
  const OrderedScratch scratch(task);
  auto* const elements =
      reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) + scratch.list_bytes);
  std::uint32_t* const order =
      elements + aligned(task.size * sizeof(std::uint32_t)) / sizeof(std::uint32_t);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(task.size); ++i)
    elements[i] = static_cast<std::uint32_t>(i);
  SplitTask order_task = task;
  order_task.payload = elements;
  order_task.split_payload = order;
  splitList<std::uint32_t>(order_task);
  const std::size_t bytes = task.payload_bytes;
  const char* const from = static_cast<const char*>(task.payload);
  char* const to = static_cast<char*>(task.split_payload);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(task.size); ++i)
    std::memcpy(to + i * bytes, from + order[i] * bytes, bytes);
}

} // namespace

namespace host {

std::size_t
splitScratchBytes(const SplitTask& task)
{
  switch (wordBytes(task)) {
  case 0:
    return Scratch<NoPayload>(task).bytes();
  case 4:
    return Scratch<std::uint32_t>(task).bytes();
  case 8:
    return Scratch<Payload8>(task).bytes();
  case 16:
    return Scratch<Payload16>(task).bytes();
  default:
    return OrderedScratch(task).bytes();
  }
}

void
split(const SplitTask& task)
{
  switch (wordBytes(task)) {
  case 0:
    return splitList<NoPayload>(task);
  case 4:
    return splitList<std::uint32_t>(task);
  case 8:
    return splitList<Payload8>(task);
  case 16:
    return splitList<Payload16>(task);
  default:
    return splitByOrder(task);
  }
}

void
numberBins(const SegmentBins& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t segment = 0; segment < task.segments; ++segment) {
    const std::size_t end =
        std::min<std::size_t>(task.segment_starts[segment + 1], task.size);
    for (std::size_t i = task.segment_starts[segment]; i < end; ++i)
      task.numbered[i] = static_cast<std::uint32_t>(segment) * task.bins + task.keys[i];
  }
}

void
findElements(const KeyElements& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t element = 0; element < task.elements; ++element) {
    const std::size_t end =
        std::min<std::size_t>(task.key_starts[element + 1], task.keys);
    for (std::size_t i = task.key_starts[element]; i < end; ++i)
      task.element_of_key[i] = static_cast<std::uint32_t>(element);
  }
}

} // namespace host

} // namespace pcl::device

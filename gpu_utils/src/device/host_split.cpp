// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "split_driver.h"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

namespace pcl {
namespace device {

namespace {

/** \brief Bits of the keys that one pass looks at, at most. */
constexpr int max_digit_bits = 10;
/** \brief Elements of one digit that are collected before they are written: a cache line of
 * keys. */
constexpr std::size_t line = 16;

struct NoPayload {};

struct alignas(16) Payload16 {
  std::uint64_t words[2];
};

template <typename Payload>
constexpr bool has_payload = !std::is_same<Payload, NoPayload>::value;

/** \brief A list of keys with their payload. */
template <typename Payload>
struct List {
  std::uint32_t* keys;
  Payload* payload;
};

template <typename Payload>
struct ConstList {
  const std::uint32_t* keys;
  const Payload* payload;
};

/** \brief Threads each take a run of the list, in order. */
struct Run {
  std::size_t begin, end;

  Run(std::size_t size, int thread, int threads)
  : begin(size * thread / threads)
  , end(size * (thread + 1) / threads)
  {}
};

/** \brief Moves the elements of a digit to their place, a cache line at a time. */
template <typename Payload>
class LineWriter {
public:
  /** \param[in] places of the digits' first elements; counted on
   * \param[in] buffers room for a line of keys and one of payload a digit
   */
  LineWriter(const List<Payload>& to,
             std::uint32_t* places,
             std::uint32_t* first_places,
             std::uint32_t digits,
             char* buffers)
  : to_(to)
  , places_(places)
  , first_places_(first_places)
  , digits_(digits)
  , keys_(reinterpret_cast<std::uint32_t*>(buffers))
  , payload_(reinterpret_cast<Payload*>(keys_ + line * digits))
  {
    std::copy_n(places, digits, first_places);
  }

  void
  write(std::uint32_t digit, const ConstList<Payload>& from, std::size_t element)
  {
    const std::uint32_t place = places_[digit]++;
    const std::size_t slot = line * digit + place % line;
    keys_[slot] = from.keys[element];
    if constexpr (has_payload<Payload>)
      payload_[slot] = from.payload[element];
    if (place % line == line - 1)
      flush(digit, place + 1);
  }

  void
  flushAll()
  {
    for (std::uint32_t digit = 0; digit < digits_; ++digit)
      if (places_[digit] % line != 0)
        flush(digit, places_[digit]);
  }

private:
  /** \brief Writes what lies in the line that ends at \a end. */
  void
  flush(std::uint32_t digit, std::uint32_t end)
  {
    const std::uint32_t line_begin = (end - 1) / line * line;
    const std::uint32_t begin = std::max(line_begin, first_places_[digit]);
    const std::size_t from = line * digit + begin % line;
    if (end <= begin)
      return;
    std::copy_n(keys_ + from, end - begin, to_.keys + begin);
    if constexpr (has_payload<Payload>)
      std::copy_n(payload_ + from, end - begin, to_.payload + begin);
  }

  List<Payload> to_;
  std::uint32_t* places_;
  std::uint32_t* first_places_;
  std::uint32_t digits_;
  std::uint32_t* keys_;
  Payload* payload_;
};

std::size_t
aligned(std::size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  static constexpr std::size_t payload_bytes =
      has_payload<Payload> ? sizeof(Payload) : 0;

  int threads = omp_get_max_threads();
  std::size_t digits;
  std::size_t size;

  Scratch(std::size_t list_size, int bits)
  : digits(std::size_t(1) << std::min(bits, max_digit_bits))
  , size(list_size)
  {}

  std::size_t
  bufferBytes() const
  {
    return aligned(digits * line * (sizeof(std::uint32_t) + payload_bytes));
  }

  std::size_t
  countBytes() const
  {
    return aligned(digits * sizeof(std::uint32_t));
  }

  std::size_t
  listBytes() const
  {
    return aligned(size * sizeof(std::uint32_t)) + aligned(size * payload_bytes);
  }

  std::size_t
  bytes() const
  {
    return threads * (2 * countBytes() + bufferBytes()) + listBytes();
  }

  std::uint32_t*
  counts(void* memory, int thread) const
  {
    return reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) +
                                            2 * thread * countBytes());
  }

  std::uint32_t*
  firstPlaces(void* memory, int thread) const
  {
    return counts(memory, thread) + countBytes() / sizeof(std::uint32_t);
  }

  char*
  buffers(void* memory, int thread) const
  {
    return static_cast<char*>(memory) + 2 * threads * countBytes() +
           thread * bufferBytes();
  }

  List<Payload>
  list(void* memory) const
  {
    char* const begin = buffers(memory, threads);
    return {reinterpret_cast<std::uint32_t*>(begin),
            reinterpret_cast<Payload*>(begin + aligned(size * sizeof(std::uint32_t)))};
  }
};

/** \brief One stable pass by the digit of \a bits bits from \a shift on. */
template <typename Payload>
void
splitByDigit(const ConstList<Payload>& from,
             const List<Payload>& to,
             const Scratch<Payload>& scratch,
             void* memory,
             int shift,
             int bits)
{
  const std::uint32_t digits = std::uint32_t(1) << bits;
  const auto digitOf = [=](std::uint32_t key) { return key >> shift & (digits - 1); };
#pragma omp parallel num_threads(scratch.threads)
  {
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    const Run run(scratch.size, thread, threads);
    std::uint32_t* const counts = scratch.counts(memory, thread);
    std::fill_n(counts, digits, 0u);
    for (std::size_t i = run.begin; i < run.end; ++i)
      ++counts[digitOf(from.keys[i])];
#pragma omp barrier
#pragma omp single
    {
      std::uint32_t place = 0;
      for (std::uint32_t digit = 0; digit < digits; ++digit)
        for (int t = 0; t < threads; ++t) {
          std::uint32_t& count = scratch.counts(memory, t)[digit];
          place += std::exchange(count, place);
        }
    }
    LineWriter<Payload> writer(to,
                               counts,
                               scratch.firstPlaces(memory, thread),
                               digits,
                               scratch.buffers(memory, thread));
    for (std::size_t i = run.begin; i < run.end; ++i)
      writer.write(digitOf(from.keys[i]), from, i);
    writer.flushAll();
  }
}

/** \brief Splits by one digit after the other, the lowest first. */
template <typename Payload>
void
splitList(const SplitTask& task, void* memory)
{
  const int bits = bitsFor(task.bins);
  const int passes = (bits + max_digit_bits - 1) / max_digit_bits;
  const Scratch<Payload> scratch(task.size, bits);
  ConstList<Payload> from{task.keys, static_cast<const Payload*>(task.payload)};
  const List<Payload> result{task.split_keys,
                             static_cast<Payload*>(task.split_payload)};
  const List<Payload> other = scratch.list(memory);
  if (passes == 0) {
    std::copy_n(from.keys, task.size, result.keys);
    if constexpr (has_payload<Payload>)
      std::copy_n(from.payload, task.size, result.payload);
  }
  int shift = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const int digit_bits = (bits - shift + passes - pass - 1) / (passes - pass);
    // The last pass has to end in the result.
    const List<Payload>& to = (passes - pass) % 2 == 1 ? result : other;
    splitByDigit(from, to, scratch, memory, shift, digit_bits);
    from = {to.keys, to.payload};
    shift += digit_bits;
  }
}

/** \brief Finds where the bins of a list in their order begin. */
void
findBins(const SplitTask& task)
{
  const std::int64_t size = task.size;
  const auto binAt = [&](std::int64_t i) {
    return i < size ? std::min(task.split_keys[i], task.bins) : task.bins;
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i <= size; ++i) {
    // Bins that are empty begin where the next one does.
    const std::uint32_t first = i > 0 ? binAt(i - 1) + 1 : 0;
    for (std::uint32_t bin = first; bin <= binAt(i); ++bin)
      task.starts[bin] = static_cast<std::uint32_t>(i);
  }
#pragma omp parallel for schedule(static)
  for (std::int64_t bin = 0; bin < task.bins; ++bin)
    task.counts[bin] = task.starts[bin + 1] - task.starts[bin];
}

/** \brief Payloads of other sizes are fetched when the elements' order is known. */
struct OrderedScratch {
  std::size_t list_bytes;
  std::size_t size;

  explicit OrderedScratch(const SplitTask& task)
  : list_bytes(aligned(Scratch<std::uint32_t>(task.size, bitsFor(task.bins)).bytes()))
  , size(task.size)
  {}

  std::size_t
  bytes() const
  {
    return list_bytes + 2 * aligned(size * sizeof(std::uint32_t));
  }
};

void
splitByOrder(const SplitTask& task, void* memory)
{
  const OrderedScratch scratch(task);
  auto* const elements =
      reinterpret_cast<std::uint32_t*>(static_cast<char*>(memory) + scratch.list_bytes);
  std::uint32_t* const order =
      elements + aligned(task.size * sizeof(std::uint32_t)) / sizeof(std::uint32_t);
  std::iota(elements, elements + task.size, 0u);
  SplitTask order_task = task;
  order_task.payload = elements;
  order_task.split_payload = order;
  splitList<std::uint32_t>(order_task, memory);
  const std::size_t bytes = task.payload_bytes;
  const char* const from = static_cast<const char*>(task.payload);
  char* const to = static_cast<char*>(task.split_payload);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(task.size); ++i)
    std::memcpy(to + i * bytes, from + order[i] * bytes, bytes);
}

class HostSplitDriver final : public SplitDriver {
public:
  std::size_t
  scratchBytes(const SplitTask& task) const override
  {
    const int bits = bitsFor(task.bins);
    switch (wordBytes(task)) {
    case 0:
      return Scratch<NoPayload>(task.size, bits).bytes();
    case 4:
      return Scratch<std::uint32_t>(task.size, bits).bytes();
    case 8:
      return Scratch<std::uint64_t>(task.size, bits).bytes();
    case 16:
      return Scratch<Payload16>(task.size, bits).bytes();
    default:
      return OrderedScratch(task).bytes();
    }
  }

  void
  split(const SplitTask& task, void* scratch, Queue) const override
  {
    switch (wordBytes(task)) {
    case 0:
      splitList<NoPayload>(task, scratch);
      break;
    case 4:
      splitList<std::uint32_t>(task, scratch);
      break;
    case 8:
      splitList<std::uint64_t>(task, scratch);
      break;
    case 16:
      splitList<Payload16>(task, scratch);
      break;
    default:
      splitByOrder(task, scratch);
    }
    findBins(task);
  }

  void
  numberBins(const std::uint32_t* keys,
             std::size_t size,
             std::uint32_t bins,
             const std::uint32_t* segment_starts,
             std::size_t segments,
             std::uint32_t* numbered,
             Queue) const override
  {
#pragma omp parallel for schedule(static)
    for (std::int64_t segment = 0; segment < static_cast<std::int64_t>(segments);
         ++segment) {
      const std::size_t end = std::min<std::size_t>(segment_starts[segment + 1], size);
      for (std::size_t i = segment_starts[segment]; i < end; ++i)
        numbered[i] = static_cast<std::uint32_t>(segment) * bins + keys[i];
    }
  }

  void
  findElements(const std::uint32_t* key_starts,
               std::size_t elements,
               std::size_t keys,
               std::uint32_t* element_of_key,
               Queue) const override
  {
#pragma omp parallel for schedule(static)
    for (std::int64_t element = 0; element < static_cast<std::int64_t>(elements);
         ++element) {
      const std::size_t end = std::min<std::size_t>(key_starts[element + 1], keys);
      for (std::size_t i = key_starts[element]; i < end; ++i)
        element_of_key[i] = static_cast<std::uint32_t>(element);
    }
  }
};

} // namespace

const SplitDriver&
hostSplitDriver()
{
  static const HostSplitDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl

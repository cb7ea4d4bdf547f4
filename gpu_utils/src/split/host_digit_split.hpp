// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "split.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// One thread's sort by one digit of the keys: it counts, then moves elements, in whole
// cache lines if the list is too long for the cache.

namespace pcl::device {

/** \brief Larger payload as words, so that an element has no gaps. */
using Payload8 = std::array<std::uint32_t, 2>;
using Payload16 = std::array<std::uint32_t, 4>;

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

/** \brief A key beside its payload: one place in the cache instead of two. */
template <typename Payload>
struct Element {
  std::uint32_t key;
  Payload payload;

  Element(const ConstList<Payload>& list, std::size_t i)
  : key(list.keys[i])
  , payload(list.payload[i])
  {}
};

template <>
struct Element<NoPayload> {
  std::uint32_t key;

  Element(const ConstList<NoPayload>& list, std::size_t i) : key(list.keys[i]) {}
};

/** \brief Elements that follow each other in a list. */
struct Run {
  std::size_t begin, end;

  std::size_t
  size() const
  {
    return end - begin;
  }
};

/** \brief A digit: some bits of the keys. */
struct Digit {
  /** \brief Upper bound: more would exceed the pages in the processor's TLB. */
  static constexpr int max_bits = 11;

  int shift;
  int bits;

  std::uint32_t
  values() const
  {
    return std::uint32_t(1) << bits;
  }

  std::uint32_t
  of(std::uint32_t key) const
  {
    return key >> shift & (values() - 1);
  }
};

/** \brief Counts the elements of a run for each value of the digit. */
inline void
countDigits(const std::uint32_t* keys, Run run, Digit digit, std::uint32_t* counts)
{
  // Several tables, because counting the same value twice in a row waits for memory.
  constexpr int tables = 4;
  std::uint32_t table[tables][std::size_t(1) << Digit::max_bits];
  for (auto& own : table)
    std::fill_n(own, digit.values(), 0u);
  std::size_t i = run.begin;
  for (; i + tables <= run.end; i += tables)
    for (int t = 0; t < tables; ++t)
      ++table[t][digit.of(keys[i + t])];
  for (; i < run.end; ++i)
    ++table[0][digit.of(keys[i])];
  for (std::uint32_t value = 0; value < digit.values(); ++value)
    counts[value] =
        table[0][value] + table[1][value] + table[2][value] + table[3][value];
}

/** \brief Writes words of 16 bytes past the cache, which saves reading the cache line
 * first.
 * \param[in] from aligned as words
 * \param[in] to aligned as words
 */
inline void
streamWords(const void* from, void* to, std::size_t bytes)
{
#if defined(__SSE2__)
  const auto* const words = static_cast<const __m128i*>(from);
  auto* const to_words = static_cast<__m128i*>(to);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i)
    _mm_stream_si128(to_words + i, _mm_load_si128(words + i));
#else
  std::memcpy(to, from, bytes);
#endif
}

/** \brief Completes streamed writes before any later write. */
inline void
finishStreams()
{
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/** \brief Writes elements to a list.
 * \param[in] place of the first
 */
template <typename Payload>
void
writeElements(const Element<Payload>* elements,
              std::size_t size,
              const List<Payload>& to,
              std::size_t place)
{
  for (std::size_t i = 0; i < size; ++i)
    to.keys[place + i] = elements[i].key;
  if constexpr (has_payload<Payload>)
    for (std::size_t i = 0; i < size; ++i)
      to.payload[place + i] = elements[i].payload;
}

/** \brief Elements that are written together: a cache line of keys. */
constexpr std::size_t line = 16;

/** \brief Writes a line of elements past the cache.
 * \param[in] place of the first, a multiple of the line
 */
template <typename Payload>
void
streamLine(const Element<Payload>* elements, const List<Payload>& to, std::size_t place)
{
  alignas(64) std::uint32_t keys[line];
  for (std::size_t i = 0; i < line; ++i)
    keys[i] = elements[i].key;
  streamWords(keys, to.keys + place, sizeof(keys));
  if constexpr (has_payload<Payload>) {
    alignas(64) Payload payload[line];
    for (std::size_t i = 0; i < line; ++i)
      payload[i] = elements[i].payload;
    streamWords(payload, to.payload + place, sizeof(payload));
  }
}

/** \brief Returns whether lines may be streamed to a list. */
template <typename Payload>
bool
takesStreams(const List<Payload>& to)
{
  const auto isAligned = [](const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % 64 == 0;
  };
  return isAligned(to.keys) && (!has_payload<Payload> || isAligned(to.payload));
}

/** \brief Moves a short run to its place in the other list: sorts it in the cache, then
 * writes it at once.
 * \param[in,out] places of the digits' first elements; advanced
 * \param[in] ordered memory for the elements
 */
template <typename Payload>
void
moveInCache(const ConstList<Payload>& from,
            Run run,
            const List<Payload>& to,
            Digit digit,
            std::uint32_t* places,
            Element<Payload>* ordered)
{
  for (std::size_t i = run.begin; i < run.end; ++i) {
    const Element<Payload> element(from, i);
    ordered[places[digit.of(element.key)]++ - run.begin] = element;
  }
  std::size_t place = run.begin;
  if (takesStreams(to)) {
    const std::size_t head = std::min(run.size(), (line - place % line) % line);
    writeElements(ordered, head, to, place);
    for (place += head; place + line <= run.end; place += line)
      streamLine(ordered + (place - run.begin), to, place);
  }
  writeElements(ordered + (place - run.begin), run.end - place, to, place);
}

/** \brief Writer that moves elements to their places, a line at a time, past the
 * cache. */
template <typename Payload>
struct LineWriter {
  List<Payload> to;
  Digit digit;                 ///< by which elements are split
  std::uint32_t* places;       ///< of the digit's first elements; advanced
  std::uint32_t* first_places; ///< the places as they were
  Element<Payload>* lines;     ///< a line for each of the digit's values
  bool streams = takesStreams(to);

  void
  move(const ConstList<Payload>& from, Run run)
  {
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const Element<Payload> element(from, i);
      const std::uint32_t value = digit.of(element.key);
      const std::uint32_t place = places[value]++;
      lines[line * value + place % line] = element;
      if (place % line == line - 1)
        writeLine(value, place - (line - 1));
    }
    for (std::uint32_t value = 0; value < digit.values(); ++value)
      if (places[value] % line != 0)
        writePart(value, places[value] / line * line, places[value]);
  }

  void
  writeLine(std::uint32_t value, std::uint32_t begin)
  {
    if (streams && begin >= first_places[value])
      streamLine(lines + line * value, to, begin);
    else
      writePart(value, begin, begin + line);
  }

  /** \brief Writes this writer's part of a line. */
  void
  writePart(std::uint32_t value, std::uint32_t line_begin, std::uint32_t end)
  {
    const std::uint32_t begin = std::max(line_begin, first_places[value]);
    writeElements(lines + line * value + begin % line, end - begin, to, begin);
  }
};

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_split_lists.cuh"

// The digit of the first of two passes, fitted to the distribution of a list's keys.
// The fit affects speed only: any digit gives the same result.

namespace pcl::device {

/** \brief The high bits of a key.
 *
 * If most keys are of a few neighbouring bins, the window, each of these bins is a
 * digit of its own, so that its elements need no second pass. The digits of all others,
 * the cells, are then twice as wide.
 */
struct HighDigit {
  int low_bits; ///< bits that a digit leaves out if there is no window
  std::uint32_t mask;
  std::uint32_t window_begin; ///< the first bin, a multiple of the size
  std::uint32_t window_size;  ///< a power of two; 0 for none

  __host__ __device__ std::uint32_t
  digits() const
  {
    return mask + 1;
  }

  /** \brief Returns the bits that a cell leaves out. */
  __device__ int
  cellBits() const
  {
    return window_size > 0 ? low_bits + 1 : low_bits;
  }

  /** \brief Returns the offset added to keys so that the window begins with a cell. */
  __device__ std::uint32_t
  offset() const
  {
    return window_size > 0 ? (0u - window_begin) & ((1u << cellBits()) - 1) : 0;
  }

  /** \brief Returns the number of bins that no cell has: the whole window, if it is at
   * least a cell. */
  __device__ std::uint32_t
  leftOut() const
  {
    return window_size >> cellBits() > 0 ? window_size : 0;
  }

  /** \brief Returns the digit of the window's first bin. */
  __device__ std::uint32_t
  windowDigit() const
  {
    return (window_begin + offset()) >> cellBits();
  }

  __device__ std::uint32_t
  of(std::uint32_t key) const
  {
    const std::uint32_t in_window =
        min(max(key, window_begin) - window_begin, window_size);
    const std::uint32_t before = leftOut() > 0 ? in_window : 0;
    return min(((key - before + offset()) >> cellBits()) + in_window, mask);
  }

  /** \brief Calls work with the digit in its simplest form. */
  template <typename Work>
  __device__ void
  inSimplestForm(const Work& work) const
  {
    if (window_size == 0)
      work(Digit{0, low_bits, mask});
    else
      work(*this);
  }

  /** \brief Returns a key of the last digit. */
  __device__ std::uint32_t
  padding() const
  {
    return 0xffffffffu - offset();
  }

  /** \brief Returns whether a digit is a bin. */
  __device__ bool
  isFinal(std::uint32_t digit) const
  {
    return digit - windowDigit() < window_size;
  }

  /** \brief Returns the bin of a digit that is a bin. */
  __device__ std::uint32_t
  finalBin(std::uint32_t digit) const
  {
    return window_begin + digit - windowDigit();
  }

  /** \brief Returns the digit in which keys of the same cell differ. */
  __device__ Digit
  low() const
  {
    return {offset(), 0, (1u << cellBits()) - 1};
  }

  /** \brief Returns the bin of a cell's first low digit. For the first cell it may wrap
   * around below zero: then it is larger than any bin. */
  __device__ std::uint32_t
  firstBin(std::uint32_t digit) const
  {
    const bool is_behind = digit >= windowDigit() + window_size;
    const std::uint32_t cell = is_behind ? digit - window_size : digit;
    return (cell << cellBits()) - offset() + (is_behind ? leftOut() : 0);
  }

  /** \brief Returns the first low digit outside the window. */
  __device__ std::uint32_t
  firstLow(std::uint32_t digit) const
  {
    return digit == windowDigit() + window_size ? window_size - leftOut() : 0;
  }
};

/** \brief Finds the window that has most of a list's keys, if there is one, from a
 * sample. All lanes of a warp must call. */
template <typename Read>
__device__ HighDigit
fitWindow(HighDigit digit, const Read& list, std::uint32_t size)
{
  constexpr int own = 8;
  constexpr int samples = own * warp_size;
  /** \brief Least samples in the window, more than half. With fewer, the digits of the
   * others would be too wide. */
  constexpr int enough = samples * 5 / 8;
  std::uint32_t keys[own];
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const std::uint64_t sample = i * warp_size + threadIdx.x % warp_size;
    keys[i] = list.key(static_cast<std::uint32_t>(sample * size / samples));
  }
  const auto count = [&](const auto& has) {
    int number = 0;
#pragma unroll
    for (int i = 0; i < own; ++i)
      number += __popc(__ballot_sync(all_lanes, has(keys[i])));
    return number;
  };
  // If most keys share a value, each bit of it is the bit that most keys have.
  const int high_bits = __popc(digit.mask);
  // Half of the digits are cells, and one more for the offset; a quarter is the
  // window's.
  const int first_bit = high_bits - 2;
  std::uint32_t window = 0;
  for (int bit = first_bit; bit < digit.low_bits + high_bits; ++bit)
    if (count([&](std::uint32_t key) { return key >> bit & 1; }) > samples / 2)
      window |= 1u << bit;
  if (count([&](std::uint32_t key) {
        return key >> first_bit == window >> first_bit;
      }) < enough)
    return digit;
  digit.window_begin = window;
  digit.window_size = 1u << first_bit;
  return digit;
}

/** \brief Findings of the first pass about a list. */
struct KeySpread {
  HighDigit digit;
  std::uint32_t is_ordered; ///< not 0 if nothing needs to move
};

/** \brief The digit of the only pass. */
struct OnlyDigit {
  static constexpr bool is_first = false;
  static constexpr bool is_of_whole_list = true;

  Digit digit;

  __device__ Digit
  get() const
  {
    return digit;
  }
};

/** \brief The digit of the first of two passes, chosen when tiles are counted. */
struct FirstDigit {
  static constexpr bool is_first = true;
  static constexpr bool is_of_whole_list = true;

  HighDigit without_window;
  bool may_have_window;
  KeySpread* spread;
  std::uint32_t* tile_is_ordered;

  __device__ HighDigit
  get() const
  {
    return spread->digit;
  }
};

/** \brief The digit of the second pass. */
struct SecondDigit {
  static constexpr bool is_first = false;
  static constexpr bool is_of_whole_list = false;

  const KeySpread* spread;

  __device__ Digit
  get() const
  {
    return spread->digit.low();
  }
};

} // namespace pcl::device

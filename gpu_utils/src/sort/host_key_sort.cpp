// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "split/split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/key_sort.h>

#include <algorithm>

namespace pcl::device::host {

namespace {

/** \brief Two splits of numbers: by the lower half of the keys' bits, then by the upper
 * half. */
struct HalfSplits {
  std::uint32_t* split_halves;
  std::uint32_t* counts;
  std::uint32_t* starts;
  void* split_scratch = nullptr;
  int lower_bits;
  int upper_bits;
  std::size_t bytes;

  HalfSplits(std::size_t count, int bits, void* scratch)
  : lower_bits(bits / 2)
  , upper_bits(bits - lower_bits)
  {
    ScratchPieces pieces(scratch);
    split_halves = pieces.take<std::uint32_t>(count);
    counts = pieces.take<std::uint32_t>(std::size_t(1) << upper_bits);
    starts = pieces.take<std::uint32_t>((std::size_t(1) << upper_bits) + 1);
    const SplitTask lower = task(count, lower_bits, nullptr, nullptr, nullptr);
    const SplitTask upper = task(count, upper_bits, nullptr, nullptr, nullptr);
    split_scratch =
        pieces.take<char>(std::max(splitScratchBytes(lower), splitScratchBytes(upper)));
    bytes = pieces.bytes();
  }

  SplitTask
  task(std::size_t count,
       int bits,
       const std::uint32_t* halves,
       const std::uint32_t* numbers,
       std::uint32_t* split_numbers) const
  {
    return {count,
            1u << bits,
            halves,
            numbers,
            sizeof(std::uint32_t),
            split_halves,
            split_numbers,
            counts,
            starts,
            split_scratch};
  }
};

} // namespace

std::size_t
sortScratchBytes(std::size_t count, int bits)
{
  return HalfSplits(count, bits, nullptr).bytes;
}

const std::uint32_t*
sortByKeys(const KeySort& sort)
{
  const HalfSplits splits(sort.count, sort.bits, sort.scratch);
  const std::uint32_t lower_mask = (1u << splits.lower_bits) - 1;
  std::uint32_t* const halves = sort.other_keys;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sort.count; ++i)
    halves[i] = sort.keys[i] & lower_mask;
  split(splits.task(
      sort.count, splits.lower_bits, halves, sort.numbers, sort.other_numbers));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sort.count; ++i)
    halves[i] = sort.keys[sort.other_numbers[i]] >> splits.lower_bits;
  split(splits.task(
      sort.count, splits.upper_bits, halves, sort.other_numbers, sort.numbers));
  return sort.numbers;
}

} // namespace pcl::device::host

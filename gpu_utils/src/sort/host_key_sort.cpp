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
  int lower_bits;
  SplitTask lower{};
  SplitTask upper{};
  std::size_t bytes; ///< of scratch memory

  explicit HalfSplits(const KeySort& sort) : lower_bits(sort.bits / 2)
  {
    const int upper_bits = sort.bits - lower_bits; // not less than the lower ones
    ScratchPieces pieces(sort.scratch);
    lower.size = sort.count;
    lower.keys = sort.other_keys;
    lower.payload = sort.numbers;
    lower.payload_bytes = sizeof(std::uint32_t);
    lower.split_keys = pieces.take<std::uint32_t>(sort.count);
    lower.split_payload = sort.other_numbers;
    const std::size_t upper_bins = std::size_t(1) << upper_bits;
    lower.bins = {1u << lower_bits,
                  pieces.take<std::uint32_t>(upper_bins),
                  pieces.take<std::uint32_t>(upper_bins + 1)};
    upper = lower;
    upper.bins.bins = 1u << upper_bits;
    upper.payload = sort.other_numbers;
    upper.split_payload = sort.numbers;
    lower.scratch = upper.scratch =
        pieces.take<char>(std::max(splitScratchBytes(lower), splitScratchBytes(upper)));
    bytes = pieces.bytes();
  }
};

} // namespace

std::size_t
sortScratchBytes(std::size_t count, int bits)
{
  KeySort sort{};
  sort.count = count;
  sort.bits = bits;
  return HalfSplits(sort).bytes;
}

const std::uint32_t*
sortByKeys(const KeySort& sort)
{
  const HalfSplits splits(sort);
  const std::uint32_t lower_mask = splits.lower.bins.bins - 1;
  std::uint32_t* const halves = sort.other_keys;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sort.count; ++i)
    halves[i] = sort.keys[i] & lower_mask;
  split(splits.lower);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sort.count; ++i)
    halves[i] = sort.keys[sort.other_numbers[i]] >> splits.lower_bits;
  split(splits.upper);
  return sort.numbers;
}

} // namespace pcl::device::host

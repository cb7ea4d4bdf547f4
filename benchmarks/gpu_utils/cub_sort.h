// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "paper_split.h"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

namespace benchmarks {

/** \brief CUB's sort of pairs by the bits that numbers of bins have, with its
 * memory. */
class CubSort {
public:
  CubSort(const PairLists& lists, std::uint32_t bins) : lists_(lists)
  {
    while (bits_ < 32 && (1ull << bits_) < bins)
      ++bits_;
    queue(nullptr, nullptr);
    memory_.create(std::max<std::size_t>(bytes_, 1));
  }

  void
  run(cudaStream_t stream)
  {
    queue(memory_.ptr(), stream);
  }

private:
  void
  queue(void* memory, cudaStream_t stream)
  {
    checkCuda(cub::DeviceRadixSort::SortPairs(memory,
                                              bytes_,
                                              lists_.keys,
                                              lists_.split_keys,
                                              lists_.values,
                                              lists_.split_values,
                                              std::size_t(lists_.size),
                                              0,
                                              bits_,
                                              stream),
              "sorting");
  }

  PairLists lists_;
  int bits_ = 0;
  std::size_t bytes_ = 0;
  pcl::gpu::DeviceArray<char> memory_;
};

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/key_sort.h>

#include <cub/device/device_radix_sort.cuh>

namespace pcl::device::cuda {

std::size_t
sortScratchBytes(std::size_t count, int bits)
{
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint32_t> none;
  checkCuda(cub::DeviceRadixSort::SortPairs(
                nullptr, bytes, none, none, static_cast<std::uint32_t>(count), 0, bits),
            "asking for a sort's scratch memory");
  return bytes;
}

const std::uint32_t*
sortByKeys(const KeySort& sort, cudaStream_t stream)
{
  cub::DoubleBuffer<std::uint32_t> keys(sort.keys, sort.other_keys);
  cub::DoubleBuffer<std::uint32_t> numbers(sort.numbers, sort.other_numbers);
  std::size_t bytes = sortScratchBytes(sort.count, sort.bits);
  checkCuda(cub::DeviceRadixSort::SortPairs(sort.scratch,
                                            bytes,
                                            keys,
                                            numbers,
                                            static_cast<std::uint32_t>(sort.count),
                                            0,
                                            sort.bits,
                                            stream),
            "sorting numbers by keys");
  return numbers.Current();
}

} // namespace pcl::device::cuda

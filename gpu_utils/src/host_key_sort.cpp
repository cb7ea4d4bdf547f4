// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/host_key_sort.h>

#include <pcl/gpu/utils/device_memory_checks.h>

namespace pcl::gpu {

const std::uint32_t*
HostKeySort::sort(const std::uint32_t* keys, std::size_t count, int bits)
{
  const Device host = Device::host();
  const ScopedDevice scope(host);
  createOn(host, halves_, count);
  createOn(host, numbers_, count);
  std::uint32_t* const halves = halves_.ptr();
  std::uint32_t* numbers = numbers_.ptr();
  const int lower_bits = bits / 2;
  const std::uint32_t lower_mask = (1u << lower_bits) - 1;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    halves[i] = keys[i] & lower_mask;
    numbers[i] = static_cast<std::uint32_t>(i);
  }
  split_.setNumberOfBins(1u << lower_bits);
  split_.split(halves_, numbers_, split_halves_, split_numbers_, bins_);

  numbers = split_numbers_.ptr();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i)
    halves[i] = keys[numbers[i]] >> lower_bits;
  split_.setNumberOfBins(1u << (bits - lower_bits));
  split_.split(halves_, split_numbers_, split_halves_, numbers_, bins_);
  return numbers_.ptr();
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/key_sort.h>

#include <cstdint>
#include <numeric>

namespace {

using pcl::gpu::DeviceArray;
using pcl::gpu::test::DeviceTest;
using Numbers = std::vector<std::uint32_t>;

class KeySorts : public DeviceTest {
protected:
  /** \brief Sorts the keys' numbers on the device under test. */
  Numbers
  sort(const Numbers& keys, int bits) const
  {
    Numbers order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    DeviceArray<std::uint32_t> device_keys, numbers;
    device_keys.upload(keys);
    numbers.upload(order);
    DeviceArray<std::uint32_t> other_keys(keys.size()), other_numbers(keys.size());
    DeviceArray<char> scratch(pcl::gpu::sortScratchBytes(device(), keys.size(), bits));
    const std::uint32_t* const sorted = pcl::gpu::sortByKeys(device(),
                                                             {keys.size(),
                                                              bits,
                                                              device_keys.ptr(),
                                                              numbers.ptr(),
                                                              other_keys.ptr(),
                                                              other_numbers.ptr(),
                                                              scratch.ptr()},
                                                             {});
    (sorted == numbers.ptr() ? numbers : other_numbers).download(order.data());
    return order;
  }
};

Numbers
stableOrder(const Numbers& keys)
{
  Numbers order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] < keys[b];
  });
  return order;
}

TEST_P(KeySorts, EqualAStableSortForKeysOfAnyBits)
{
  std::mt19937 random(7);
  for (const int bits : {2, 3, 8, 11, 16, 24, 31, 32})
    for (const std::size_t size : {1u, 2u, 31u, 1000u, 70001u}) {
      Numbers keys(size);
      for (std::uint32_t& key : keys)
        key = static_cast<std::uint32_t>(random()) >> (32 - bits);
      EXPECT_EQ(sort(keys, bits), stableOrder(keys)) << bits << " bits, " << size;
    }
}

TEST_P(KeySorts, KeepTheOrderOfEqualKeys)
{
  const Numbers keys(5000, 3u);
  EXPECT_EQ(sort(keys, 2), stableOrder(keys));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(KeySorts);

class Fills : public DeviceTest {};

TEST_P(Fills, SetTheirBytesAndNoOthers)
{
  DeviceArray<std::uint8_t> bytes;
  bytes.upload(std::vector<std::uint8_t>(100, 1));
  pcl::gpu::fillAsync(device(), bytes.ptr() + 10, 0xab, 30, {});
  pcl::gpu::fillAsync(device(), bytes.ptr() + 50, 0xcd, 0, {});
  std::vector<std::uint8_t> filled;
  bytes.download(filled);
  std::vector<std::uint8_t> expected(100, 1);
  std::fill_n(expected.begin() + 10, 30, 0xab);
  EXPECT_EQ(filled, expected);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Fills);

} // namespace

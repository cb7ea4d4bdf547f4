// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/bin_split.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>

namespace pcl::gpu {

/** \brief Sorts elements by keys on the host: a split by the lower half of the keys' bits,
 * then one by the upper half. One object serves one call at a time.
 * \ingroup gpu_utils
 */
class PCL_EXPORTS HostKeySort {
public:
  /** \brief Sorts. O(count) for keys of up to 22 bits each half.
   * \param[in] keys one an element, below 2^bits
   * \param[in] count number of elements
   * \param[in] bits 2 to 32
   * \return the elements' numbers in the order of their keys, those of one key ascending;
   * valid until the next call
   * \throws DeviceException if memory runs out
   */
  const std::uint32_t*
  sort(const std::uint32_t* keys, std::size_t count, int bits);

private:
  BinSplit split_;
  SplitBins bins_;
  DeviceArray<std::uint32_t> halves_;
  DeviceArray<std::uint32_t> split_halves_;
  DeviceArray<std::uint32_t> numbers_;
  DeviceArray<std::uint32_t> split_numbers_;
};

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Numbers to sort by keys. All arrays have \a count elements and are
 * overwritten. */
struct KeySort {
  std::size_t count;            ///< number of keys
  int bits;                     ///< 2 to 32; keys are below 2^bits
  std::uint32_t* keys;          ///< one per number
  std::uint32_t* numbers;       ///< 0, 1, 2 ...
  std::uint32_t* other_keys;    ///< more memory, for keys
  std::uint32_t* other_numbers; ///< more memory, for numbers
  void* scratch;                ///< as many bytes as sortScratchBytes() returns
};

namespace host {

std::size_t
sortScratchBytes(std::size_t count, int bits);

const std::uint32_t*
sortByKeys(const KeySort& sort);

} // namespace host

namespace cuda {

std::size_t
sortScratchBytes(std::size_t count, int bits);

const std::uint32_t*
sortByKeys(const KeySort& sort, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

namespace pcl::gpu {

/** \brief Returns the bytes of scratch memory that a sort takes.
 * \param[in] device where it will run: the current device
 * \param[in] count number of keys
 * \param[in] bits 2 to 32; keys are below 2^bits
 * \return the bytes
 * \throws DeviceException if the device fails
 */
std::size_t
sortScratchBytes(const Device& device, std::size_t count, int bits);

/** \brief Sorts numbers by keys; numbers of one key stay in ascending order. O(count).
 * \param[in] device where the arrays live: the current device
 * \param[in] sort the arrays
 * \param[in] stream the queue to join
 * \return the sorted numbers: \a numbers or \a other_numbers of \a sort
 * \throws DeviceException if the device fails
 */
const std::uint32_t*
sortByKeys(const Device& device, const device::KeySort& sort, const Stream& stream);

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <cstring>
#include <type_traits>
#include <vector>

namespace pcl::gpu {

/** \brief Copy of a small host table on a device, renewed only when the table has
 * changed. */
template <typename T>
class MirroredTable {
  static_assert(std::is_trivially_copyable<T>::value, "tables are copied as bytes");

public:
  /** \brief Uploads a table to a device, unless the device has it.
   * \param[in] device the current device
   * \param[in] table must stay unchanged until the stream has made the copy
   * \param[in] stream the queue to join
   * \return the copy; on the host the table itself
   * \throws DeviceException if the device fails or runs out of memory
   */
  const T*
  upload(const Device& device, const std::vector<T>& table, const Stream& stream)
  {
    if (device.isHost() || table.empty())
      return table.data();
    const bool is_there = copy_.size() == table.size() && deviceOf(copy_) == device;
    const std::size_t bytes = table.size() * sizeof(T);
    if (is_there && std::memcmp(uploaded_.data(), table.data(), bytes) == 0)
      return copy_.ptr();
    createOn(device, copy_, table.size());
    uploaded_ = table;
    try {
      copyAsync(uploaded_.data(), copy_.ptr(), bytes, stream);
    }
    catch (...) {
      uploaded_.clear(); // the device has no copy
      copy_.release();
      throw;
    }
    return copy_.ptr();
  }

private:
  std::vector<T> uploaded_;
  DeviceArray<T> copy_;
};

} // namespace pcl::gpu

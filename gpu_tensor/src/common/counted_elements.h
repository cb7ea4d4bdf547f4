// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Copies the elements that are defined to host memory. Waits for the device.
 * \param[in] elements room for the largest number of elements
 * \param[in] count one element: their number
 * \return the first \a count elements
 */
template <typename T>
std::vector<T>
downloadCounted(const DeviceArray<T>& elements, const DeviceArray<int>& count)
{
  int number = 0;
  count.download(&number);
  std::vector<T> result(static_cast<std::size_t>(number));
  elements.download(result.data(), 0, result.size());
  return result;
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/pcl_exports.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief How much memory a device has left.
 * \param[in] device the host or a CUDA device
 * \return bytes; of the host those that can be had without swapping
 * \throws DeviceException if there is no such device
 * \ingroup gpu_utils
 */
PCL_EXPORTS std::size_t
freeMemoryOf(const Device& device);

} // namespace pcl::gpu

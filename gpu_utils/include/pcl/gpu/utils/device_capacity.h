// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/pcl_exports.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Returns the free memory of a device.
 * \param[in] device the host or a CUDA device
 * \return bytes; on the host those available without swapping
 * \throws DeviceException if there is no such device
 * \ingroup gpu_utils
 */
PCL_EXPORTS std::size_t
freeMemoryOf(const Device& device);

} // namespace pcl::gpu

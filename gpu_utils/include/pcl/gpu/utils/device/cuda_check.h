// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

namespace pcl {
namespace device {

/** \brief Throws gpu::DeviceException unless a CUDA runtime call succeeded.
 * \param[in] status the `cudaError_t` that the call returned
 * \param[in] action what was being done, for the message
 */
PCL_EXPORTS void
checkCuda(int status, const char* action);

/** \brief Throws gpu::DeviceException if the kernel launch just made was refused.
 * \param[in] kernel its name, for the message
 */
PCL_EXPORTS void
checkLaunch(const char* kernel);

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>

#include <string>

/** \brief The address of a function that exists only in a build with CUDA, else
 * null. */
#if PCL_GPU_HAVE_CUDA
#define PCL_GPU_CUDA_ONLY(function) (&function)
#else
#define PCL_GPU_CUDA_ONLY(function) (static_cast<decltype(&function)>(nullptr))
#endif

namespace pcl::gpu {

/** \brief Returns the driver of a module for memory that lives on a device.
 * \param[in] device where the memory lives
 * \param[in] host returns the host's driver
 * \param[in] cuda returns CUDA's driver; null in a build without CUDA
 * \param[in] module the module's name, for the message
 * \return the driver
 * \throws DeviceException if the device is a CUDA device and there is no driver for it
 */
template <typename Driver>
const Driver&
chooseDriver(const Device& device,
             const Driver& (*host)(),
             const Driver& (*cuda)(),
             const char* module)
{
  if (device.isHost())
    return host();
  if (cuda)
    return cuda();
  throw DeviceException("cudaErrorNoDevice",
                        "choosing a driver",
                        device,
                        std::string(module) + " was built without CUDA");
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns the device that an option names.
 * \param[in] name "host", "cuda", "cuda:N", or empty for the GPU if there is one
 * \param[in] option the option's name, for messages
 * \throws InputError for any other name, and for a device that this machine lacks
 */
Device
parseDevice(const std::string& name, const std::string& option = "--device");

/** \brief Returns the devices that --devices names: GPUs, or the host.
 * \param[in] names as for parseDevice(), separated by commas
 * \throws InputError for any other name, a device that this machine lacks, and the host
 * among GPUs
 */
std::vector<Device>
parseDevices(const std::string& names);

/** \brief Returns the devices that --device or --devices names.
 * \param[in] device as for parseDevice()
 * \param[in] devices as for parseDevices(); empty: the one that \a device names
 * \throws InputError as these two, and if both are named
 */
std::vector<Device>
chooseDevices(const std::string& device, const std::string& devices);

/** \brief Returns a description of a device: "cuda:0 (NVIDIA H200)", "host (AMD EPYC
 * 9654, 8 threads)".
 * \param[in] device a device of this machine
 */
std::string
describeDevice(const Device& device);

/** \brief Returns a description of some devices, separated by commas. */
std::string
describeDevices(const std::vector<Device>& devices);

} // namespace pcl::gpu::apps

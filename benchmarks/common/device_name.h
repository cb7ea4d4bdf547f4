// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>

#include <stdexcept>
#include <string>

namespace benchmarks {

/** \brief Returns the host for "host", and the first CUDA device for "cuda".
 * \throws std::runtime_error for any other name
 */
inline pcl::gpu::Device
deviceNamed(const std::string& name)
{
  if (name == "host")
    return pcl::gpu::Device::host();
  if (name != "cuda")
    throw std::runtime_error("there is no device " + name);
  return pcl::gpu::Device::cuda(0);
}

} // namespace benchmarks

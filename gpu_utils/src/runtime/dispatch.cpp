// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
throwBuiltWithoutCuda(const Device& device)
{
  throw DeviceException("cudaErrorNoDevice",
                        "choosing where to run",
                        device,
                        "PCL GPU Perception was built without CUDA");
}

} // namespace pcl::gpu

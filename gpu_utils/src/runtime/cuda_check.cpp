// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>

#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl::device {

void
throwCudaError(int status, const std::string& action)
{
  const auto error = static_cast<cudaError_t>(status);
  int device = 0;
  cudaGetDevice(&device);
  throw gpu::DeviceException(cudaGetErrorName(error),
                             action,
                             gpu::Device::cuda(device),
                             cudaGetErrorString(error));
}

} // namespace pcl::device
#endif

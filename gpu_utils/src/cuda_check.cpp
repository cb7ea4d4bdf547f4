// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/device/cuda_check.h>

#if PCL_GPU_HAVE_CUDA
#include <cuda_runtime_api.h>

namespace pcl {
namespace device {

namespace {

gpu::Device
cudaDevice()
{
  int id = 0;
  cudaGetDevice(&id);
  return gpu::Device::cuda(id);
}

void
check(cudaError_t error, const std::string& action)
{
  if (error == cudaSuccess)
    return;
  cudaGetLastError(); // the error is told once, here
  throw gpu::DeviceException(
      cudaGetErrorName(error), action, cudaDevice(), cudaGetErrorString(error));
}

} // namespace

void
checkCuda(int status, const char* action)
{
  check(static_cast<cudaError_t>(status), action);
}

void
checkLaunch(const char* kernel)
{
  check(cudaGetLastError(), std::string("launching ") + kernel);
}

} // namespace device
} // namespace pcl
#endif

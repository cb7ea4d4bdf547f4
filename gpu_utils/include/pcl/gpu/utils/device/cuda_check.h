// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cuda_runtime_api.h>

#include <string>

namespace pcl::device {

/** \brief Throws gpu::DeviceException for a CUDA error.
 * \param[in] status the `cudaError_t`
 * \param[in] action the action, for the message
 */
[[noreturn]] PCL_EXPORTS void
throwCudaError(int status, const std::string& action);

// Every library has its own CUDA runtime with its own last error, so these functions
// must be compiled into the library that calls them.

/** \brief Throws gpu::DeviceException unless a CUDA runtime call succeeded.
 * \param[in] status the call's result
 * \param[in] action the action, for the message
 */
static inline void
checkCuda(cudaError_t status, const char* action)
{
  if (status == cudaSuccess)
    return;
  cudaGetLastError(); // so that the error is reported once
  throwCudaError(status, action);
}

/** \brief Throws gpu::DeviceException if the kernel launch just made was refused.
 * \param[in] kernel its name, for the message
 */
static inline void
checkLaunch(const char* kernel)
{
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess)
    throwCudaError(status, std::string("launching ") + kernel);
}

} // namespace pcl::device

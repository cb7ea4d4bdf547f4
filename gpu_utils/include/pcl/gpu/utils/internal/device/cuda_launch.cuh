// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cuda_runtime.h>

#include <cstddef>

namespace pcl::device {

/** \brief Waits until the stream's previous kernel has ended and its writes are
 * visible.
 *
 * Kernels that are launched by launchOverlapping() call this before they touch memory.
 */
__device__ inline void
waitForPreviousKernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/** \brief Lets the stream's next kernel start, if it was launched by
 * launchOverlapping(). Until it calls waitForPreviousKernel() it may read what was
 * there before this kernel. */
__device__ inline void
startNextKernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/** \brief Returns an attribute of the current device. */
inline int
deviceAttribute(cudaDeviceAttr attribute)
{
  int device = 0, value = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(cudaDeviceGetAttribute(&value, attribute, device),
            "asking for a device's attribute");
  return value;
}

/** \brief Returns whether the current device can start a kernel while the previous one
 * ends. */
inline bool
overlapsKernels()
{
  return deviceAttribute(cudaDevAttrComputeCapabilityMajor) >= 9;
}

/** \brief Prepares the launch of a kernel whose blocks start while the previous kernel
 * ends.
 *
 * Saves a good part of the time between two short kernels (programmatic dependent
 * launch). The kernel must begin with waitForPreviousKernel(). For chains of short
 * kernels; a kernel that stands alone, or is long, is launched by a plain <<<>>>.
 * \param[in] name of the kernel, for error messages
 * \param[in] grid as in <<<grid, block, shared_bytes, stream>>>
 * \param[in] block as there
 * \param[in] stream as there
 * \param[in] shared_bytes as there
 * \return an object to call with the kernel and its arguments; throws
 * gpu::DeviceException if the launch is refused
 */
inline auto
launchOverlapping(const char* name,
                  dim3 grid,
                  dim3 block,
                  cudaStream_t stream,
                  std::size_t shared_bytes = 0)
{
  return [=](auto* kernel, const auto&... arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlapsKernels() ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, arguments...);
    checkLaunch(name);
  };
}

} // namespace pcl::device

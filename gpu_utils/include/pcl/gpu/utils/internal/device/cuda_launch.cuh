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

/** \brief Returns whether the current device can start a kernel while the previous one
 * ends. */
inline bool
overlapsKernels()
{
  int device = 0, major = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
            "asking for the compute capability");
  return major >= 9;
}

/** \brief Launch of a kernel whose blocks start while the previous kernel ends.
 *
 * Saves a good part of the time between two short kernels (programmatic dependent
 * launch). The kernel must begin with waitForPreviousKernel(). For chains of short
 * kernels; a kernel that stands alone, or is long, is launched by a plain <<<>>>.
 */
struct OverlappingLaunch {
  const char* name; ///< of the kernel, for error messages
  dim3 grid;
  dim3 block;
  cudaStream_t stream;
  std::size_t shared_bytes;

  /** \brief Launches the kernel.
   * \throws gpu::DeviceException if the launch is refused
   */
  template <typename... Parameters, typename... Arguments>
  void
  operator()(void (*kernel)(Parameters...), const Arguments&... arguments) const
  {
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
    cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
    checkLaunch(name);
  }
};

/** \brief Prepares a launch as <<<grid, block, shared_bytes, stream>>> does.
 * \return an object to call with the kernel and its arguments
 */
inline OverlappingLaunch
launchOverlapping(const char* name,
                  dim3 grid,
                  dim3 block,
                  cudaStream_t stream,
                  std::size_t shared_bytes = 0)
{
  return {name, grid, block, stream, shared_bytes};
}

/** \brief Launches a kernel whose blocks start while the previous kernel ends. */
template <typename... Parameters, typename... Arguments>
void
launchOverlapping(const char* name,
                  void (*kernel)(Parameters...),
                  dim3 grid,
                  dim3 block,
                  std::size_t shared_bytes,
                  cudaStream_t stream,
                  const Arguments&... arguments)
{
  OverlappingLaunch{name, grid, block, stream, shared_bytes}(kernel, arguments...);
}

} // namespace pcl::device

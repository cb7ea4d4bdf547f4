// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

namespace pcl {
namespace gpu {

const device::TriangulationDriver&
driverFor(const Device& device)
{
  if (device.isHost())
    return device::hostTriangulationDriver();
#if PCL_GPU_HAVE_CUDA
  return device::cudaTriangulationDriver();
#else
  throw DeviceException("cudaErrorNoDevice",
                        "choosing a driver",
                        device,
                        "gpu_triangulation was built without CUDA");
#endif
}

} // namespace gpu
} // namespace pcl

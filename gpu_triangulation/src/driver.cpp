// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/utils/internal/driver_choice.h>

namespace pcl::gpu {

const device::TriangulationDriver&
driverFor(const Device& device)
{
  return chooseDriver(device,
                      &device::hostTriangulationDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaTriangulationDriver),
                      "gpu_triangulation");
}

} // namespace pcl::gpu

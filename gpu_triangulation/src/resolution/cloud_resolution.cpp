// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "resolution/resolution.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/kept_scratch.h>

namespace pcl::gpu {

void
CloudResolutionParameters::validate() const
{
  checkArgument(
      neighbors == 4 || neighbors == 8, "number of neighbors", neighbors, "4 or 8");
}

void
CloudResolution::compute(const OrganizedCloud& cloud,
                         const NormalMap& normals,
                         DeviceArray<ResolutionStatistics>& statistics,
                         const Stream& stream)
{
  const Device device = deviceOf(cloud);
  const ScopedDevice scope(device);
  checkDevice("normals", normals, "cloud", device);
  if (!normals.empty())
    checkSameSize("normals", normals, "cloud", cloud);
  createOn(device, statistics, 1);
  device::ResolutionTask task{inputView<device::Float4>(cloud),
                              inputView<device::Float4>(normals),
                              parameters_.neighbors,
                              statistics.ptr(),
                              nullptr};
  const std::size_t bytes =
      functionFor(device, PCL_GPU_BOTH(resolutionScratchBytes))(task);
  task.scratch = keptScratch(device, workspace_, bytes, stream);
  dispatch(device, PCL_GPU_BOTH(measureResolution), task, stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "resolution/resolution.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/kept_scratch.h>

#include <algorithm>

namespace pcl::gpu {

void
CloudResolutionParameters::validate() const
{
  checkArgument(
      neighbors == 4 || neighbors == 8, "number of neighbors", neighbors, "4 or 8");
  checkAtLeast("step of rows", row_step, 1);
  checkAtLeast("step of columns", column_step, 1);
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
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
  // Larger steps leave the same pixels, and would overflow.
  const int row_step = std::min(parameters_.row_step, std::max(cloud.rows(), 1));
  const int column_step = std::min(parameters_.column_step, std::max(cloud.cols(), 1));
  device::ResolutionTask task{
      inputView<device::Float4>(cloud),
      inputView<device::Float4>(normals),
      parameters_.neighbors,
      row_step,
      column_step,
      device::divideUp(cloud.rows(), row_step),
      device::divideUp(cloud.cols(), column_step),
      {parameters_.viewpoint.x(), parameters_.viewpoint.y(), parameters_.viewpoint.z()},
      statistics.ptr(),
      nullptr};
  const std::size_t bytes =
      functionFor(device, PCL_GPU_BOTH(resolutionScratchBytes))(task);
  task.scratch = keptScratch(device, workspace_, bytes, stream);
  dispatch(device, PCL_GPU_BOTH(measureResolution), task, stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "normals/normals.h"

#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/kept_scratch.h>

namespace pcl::gpu {

void
NormalMapEstimationParameters::validate() const
{
  checkBetween("window radius", window_radius, 1, max_window_radius, "1 to 16");
  checkDeviation("depth change factor", max_depth_change_factor);
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
}

void
NormalMapEstimation::compute(const OrganizedCloud& cloud,
                             NormalMap& normals,
                             const Stream& stream)
{
  const Device device = deviceOf(cloud);
  const ScopedDevice scope(device);
  checkApart("cloud", cloud, normals);
  createOn(device, normals, cloud.rows(), cloud.cols());
  if (cloud.empty())
    return;
  const Eigen::Vector3f& viewpoint = parameters_.viewpoint;
  device::NormalsTask task{inputView<device::Float4>(cloud),
                           parameters_.window_radius,
                           parameters_.max_depth_change_factor,
                           {viewpoint.x(), viewpoint.y(), viewpoint.z()},
                           outputView<device::Float4>(normals),
                           nullptr};
  if (parameters_.method == NormalEstimationMethod::COVARIANCE_MATRIX) {
    dispatch(device, PCL_GPU_BOTH(estimateNormals), task, stream);
    return;
  }
  const std::size_t bytes =
      functionFor(device, PCL_GPU_BOTH(adaptiveNormalsScratchBytes))(task);
  task.scratch = keptScratch(device, workspace_, bytes, stream);
  dispatch(device, PCL_GPU_BOTH(estimateAdaptiveNormals), task, stream);
}

} // namespace pcl::gpu

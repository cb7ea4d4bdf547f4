// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "normals/normals.h"

#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
NormalMapEstimation::setWindowRadius(int radius)
{
  checkArgument(
      radius >= 1 && radius <= max_window_radius, "window radius", radius, "1 to 16");
  window_radius_ = radius;
}

int
NormalMapEstimation::getWindowRadius() const
{
  return window_radius_;
}

void
NormalMapEstimation::setMaxDepthChangeFactor(float factor)
{
  checkArgument(factor > 0.0f, "depth change factor", factor, "a positive number");
  max_depth_change_factor_ = factor;
}

float
NormalMapEstimation::getMaxDepthChangeFactor() const
{
  return max_depth_change_factor_;
}

void
NormalMapEstimation::setViewPoint(const Eigen::Vector3f& viewpoint)
{
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
  viewpoint_ = viewpoint;
}

const Eigen::Vector3f&
NormalMapEstimation::getViewPoint() const
{
  return viewpoint_;
}

void
NormalMapEstimation::compute(const OrganizedCloud& cloud,
                             NormalMap& normals,
                             const Stream& stream) const
{
  const Device device = deviceOf(cloud);
  const ScopedDevice scope(device);
  checkApart("cloud", cloud, normals);
  createOn(device, normals, cloud.rows(), cloud.cols());
  if (cloud.empty())
    return;
  const device::NormalsTask task{inputView<device::Float4>(cloud),
                                 window_radius_,
                                 max_depth_change_factor_,
                                 {viewpoint_.x(), viewpoint_.y(), viewpoint_.z()},
                                 outputView<device::Float4>(normals)};
  dispatch(device,
           &device::host::estimateNormals,
           PCL_GPU_CUDA_ONLY(device::cuda::estimateNormals),
           task,
           stream);
}

} // namespace pcl::gpu

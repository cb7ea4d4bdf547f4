// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

DepthBilateralFilter&
DepthMapTriangulation::filter()
{
  return filter_;
}

DepthMapProjection&
DepthMapTriangulation::projection()
{
  return projection_;
}

const DepthMapProjection&
DepthMapTriangulation::projection() const
{
  return projection_;
}

NormalMapEstimation&
DepthMapTriangulation::normalEstimation()
{
  return normal_estimation_;
}

CloudResolution&
DepthMapTriangulation::resolution()
{
  return resolution_;
}

OrganizedTriangulation&
DepthMapTriangulation::triangulation()
{
  return triangulation_;
}

void
DepthMapTriangulation::setFilterEnabled(bool enabled)
{
  filter_enabled_ = enabled;
}

template <typename Depth>
void
DepthMapTriangulation::run(const Depth& depth, float scale, const Stream& stream)
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  const PinholeCamera& camera = projection_.getCamera();
  checkCamera("camera", camera, "its image", depth);
  createOn(device, filtered_depth_, depth.rows(), depth.cols());
  // What is sampled is projected by itself.
  const bool samples = projection_.getSamplingStep() > 1;
  if (!samples)
    createOn(device, cloud_, depth.rows(), depth.cols());
  if (!depth.empty()) {
    device::FilterTask task{};
    task.input = device::depthInput(inputView<typename Depth::type>(depth), scale);
    task.filters = filter_enabled_;
    task.filter = {filter_.getSigmaS(),
                   filter_.getSigmaR(),
                   filter_.getSigmaRGrowth(),
                   filter_.getWindowRadius()};
    task.filtered = outputView<float>(filtered_depth_);
    task.camera = intrinsicsOf(camera);
    if (!samples)
      task.cloud = outputView<device::Float4>(cloud_);
    dispatch(device,
             &device::host::filterAndProject,
             PCL_GPU_CUDA_ONLY(device::cuda::filterAndProject),
             task,
             stream);
  }
  if (samples)
    projection_.compute(filtered_depth_, cloud_, stream);
  normal_estimation_.compute(cloud_, normals_, stream);
  resolution_.compute(cloud_, normals_, statistics_, stream);
  triangulation_.compute(cloud_, normals_, statistics_, mesh_, stream);
}

void
DepthMapTriangulation::compute(const RawDepthMap& depth,
                               float scale,
                               const Stream& stream)
{
  checkPositive("depth scale", scale);
  run(depth, scale, stream);
}

void
DepthMapTriangulation::compute(const DepthMap& depth, const Stream& stream)
{
  run(depth, 1.0f, stream);
}

const DepthMap&
DepthMapTriangulation::filteredDepth() const
{
  return filtered_depth_;
}

const OrganizedCloud&
DepthMapTriangulation::cloud() const
{
  return cloud_;
}

const NormalMap&
DepthMapTriangulation::normals() const
{
  return normals_;
}

const DeviceArray<ResolutionStatistics>&
DepthMapTriangulation::statistics() const
{
  return statistics_;
}

const OrganizedMesh&
DepthMapTriangulation::mesh() const
{
  return mesh_;
}

} // namespace pcl::gpu

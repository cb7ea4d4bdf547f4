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

void
DepthMapTriangulationParameters::validate() const
{
  flying_pixels.validate();
  filter.validate();
  projection.validate();
  normals.validate();
  resolution.validate();
  mesh.validate();
}

namespace {

template <typename Stage, typename Output>
void
computeOf(Stage& stage,
          const RawDepthMap& depth,
          float scale,
          Output& output,
          const Stream& stream)
{
  stage.compute(depth, scale, output, stream);
}

template <typename Stage, typename Output>
void
computeOf(Stage& stage,
          const DepthMap& depth,
          float /*scale*/,
          Output& output,
          const Stream& stream)
{
  stage.compute(depth, output, stream);
}

} // namespace

template <typename Depth>
void
DepthMapTriangulation::run(const Depth& depth, float scale, const Stream& stream)
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  projection_.setParameters(parameters_.projection);
  normal_estimation_.setParameters(parameters_.normals);
  CloudResolutionParameters resolution = parameters_.resolution;
  parameters_.mesh.applyTo(resolution);
  resolution_.setParameters(resolution);
  triangulation_.setParameters(parameters_.mesh);
  Results& results = results_.value;
  createOn(device, results.filtered_depth, depth.rows(), depth.cols());
  // Sampled depth is projected by itself.
  const bool samples = parameters_.projection.sampling_step > 1;
  if (!samples)
    createOn(device, results.cloud, depth.rows(), depth.cols());
  if (!depth.empty()) {
    device::FilterTask task{};
    task.input = device::depthInput(inputView<typename Depth::type>(depth), scale);
    task.is_filtered = parameters_.filter_enabled;
    task.filter = parameters_.filter;
    task.filtered = outputView<float>(results.filtered_depth);
    task.camera = intrinsicsOf(parameters_.projection.camera);
    if (!samples)
      task.cloud = outputView<device::Float4>(results.cloud);
    dispatch(device, PCL_GPU_BOTH(filterAndProject), task, stream);
  }
  if (samples)
    projection_.compute(results.filtered_depth, results.cloud, stream);
  // A filter hides the noise that adaptive windows measure.
  const bool measures_noise =
      parameters_.filter_enabled &&
      parameters_.normals.method == NormalEstimationMethod::ADAPTIVE_WINDOWS;
  if (measures_noise)
    computeOf(projection_, depth, scale, results.measured_cloud, stream);
  normal_estimation_.compute(
      measures_noise ? results.measured_cloud : results.cloud, results.normals, stream);
  resolution_.compute(results.cloud, results.normals, results.statistics, stream);
  triangulation_.compute(
      results.cloud, results.normals, results.statistics, results.mesh, stream);
}

template <typename Depth>
void
DepthMapTriangulation::runCleaned(const Depth& depth, float scale, const Stream& stream)
{
  checkCamera("camera", parameters_.projection.camera, "its image", depth);
  if (!parameters_.remove_flying_pixels)
    return run(depth, scale, stream);
  flying_pixel_removal_.setParameters(parameters_.flying_pixels);
  DepthMap& cleaned = results_.value.cleaned_depth;
  computeOf(flying_pixel_removal_, depth, scale, cleaned, stream);
  run(cleaned, 1.0f, stream);
}

void
DepthMapTriangulation::compute(const RawDepthMap& depth,
                               float scale,
                               const Stream& stream)
{
  checkPositive("depth scale", scale);
  runCleaned(depth, scale, stream);
}

void
DepthMapTriangulation::compute(const DepthMap& depth, const Stream& stream)
{
  runCleaned(depth, 1.0f, stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter.h"
#include "projection/projection.hpp"

#include <pcl/gpu/triangulation/depth_map_projection.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

PinholeCamera
DepthMapProjectionParameters::cloudCamera() const
{
  const float step = static_cast<float>(sampling_step);
  PinholeCamera result = camera;
  result.fx /= step;
  result.fy /= step;
  result.cx /= step;
  result.cy /= step;
  result.width = device::sampledSize(camera.width, sampling_step);
  result.height = device::sampledSize(camera.height, sampling_step);
  return result;
}

void
DepthMapProjectionParameters::validate() const
{
  validateIfSet(camera);
  checkAtLeast("sampling step", sampling_step, 1);
}

template <typename Depth>
void
DepthMapProjection::run(const Depth& depth,
                        float scale,
                        OrganizedCloud& cloud,
                        const Stream& stream) const
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  checkCamera("camera", parameters_.camera, "its image", depth);
  const int step = parameters_.sampling_step;
  const int rows = device::sampledSize(depth.rows(), step);
  const int columns = device::sampledSize(depth.cols(), step);
  createOn(device, cloud, rows, columns);
  if (depth.empty())
    return;
  const device::DepthInput input =
      device::depthInput(inputView<typename Depth::type>(depth), scale);
  const device::Intrinsics camera = intrinsicsOf(parameters_.camera);
  if (step > 1) {
    const device::ProjectSampled project{
        input, step, camera, outputView<device::Float4>(cloud)};
    parallelFor2D(device, columns, rows, project, stream);
    return;
  }
  device::FilterTask task{};
  task.input = input;
  task.camera = camera;
  task.cloud = outputView<device::Float4>(cloud);
  dispatch(device, PCL_GPU_BOTH(filterAndProject), task, stream);
}

void
DepthMapProjection::compute(const RawDepthMap& depth,
                            float scale,
                            OrganizedCloud& cloud,
                            const Stream& stream) const
{
  checkPositive("depth scale", scale);
  run(depth, scale, cloud, stream);
}

void
DepthMapProjection::compute(const DepthMap& depth,
                            OrganizedCloud& cloud,
                            const Stream& stream) const
{
  run(depth, 1.0f, cloud, stream);
}

void
DepthMapProjection::compute(const DepthMap& depth,
                            const ColorMap& colors,
                            DeviceArray2D<PointXYZRGB>& cloud,
                            const Stream& stream) const
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  checkDevice("colors", colors, "depth", device);
  checkCamera("camera", parameters_.camera, "its image", depth);
  checkSameSize("colors", colors, "depth", depth);
  createOn(device, cloud, depth.rows(), depth.cols());
  parallelFor2D(device,
                depth.cols(),
                depth.rows(),
                device::ProjectWithColor{inputView<float>(depth),
                                         inputView<std::uint32_t>(colors),
                                         intrinsicsOf(parameters_.camera),
                                         outputView<device::ColorPoint>(cloud)},
                stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "projection/color_registration.hpp"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

void
ColorRegistrationParameters::validate() const
{
  validateIfSet(depth_camera);
  validateIfSet(color_camera);
  validatePose(color_camera_pose, "colour camera pose");
  checkPositive("occlusion tolerance", occlusion_tolerance);
}

void
ColorRegistration::compute(const DepthMap& depth,
                           const ColorMap& image,
                           ColorMap& colors,
                           const Stream& stream)
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  checkDevice("image", image, "depth", device);
  const PinholeCamera& depth_camera = parameters_.depth_camera;
  const PinholeCamera& color_camera = parameters_.color_camera;
  checkCamera("depth camera", depth_camera, "its image", depth);
  checkCamera("color camera", color_camera, "its image", image);
  checkArgument(depth.empty() || !image.empty(), "image", "empty", "a colour image");
  createOn(device, colors, depth.rows(), depth.cols());
  if (depth.empty())
    return;

  device::ColorProjection project{
      inputView<float>(depth),
      intrinsicsOf(depth_camera),
      color_camera.fx,
      color_camera.fy,
      color_camera.cx,
      color_camera.cy,
      image.cols(),
      image.rows(),
      rigidTransform(parameters_.color_camera_pose.inverse())};
  // A depth pixel spans this many colour pixels; half of them to each side leave no
  // gaps.
  const float magnification =
      std::max(color_camera.fx / depth_camera.fx, color_camera.fy / depth_camera.fy);
  const int radius =
      std::clamp(static_cast<int>(std::ceil(0.5f * (magnification - 1.0f))), 0, 16);

  const std::size_t pixels = static_cast<std::size_t>(image.rows()) * image.cols();
  workspace_.reserve(Workspace::bytesFor<std::uint32_t>(pixels));
  std::uint32_t* const depth_buffer = workspace_.take<std::uint32_t>(pixels);
  fillAsync(device, depth_buffer, 0xff, pixels * sizeof(std::uint32_t), stream);
  parallelFor2D(device,
                depth.cols(),
                depth.rows(),
                device::SplatDepth{project, radius, depth_buffer},
                stream);
  parallelFor2D(device,
                depth.cols(),
                depth.rows(),
                device::LookUpColor{project,
                                    parameters_.occlusion_tolerance,
                                    depth_buffer,
                                    inputView<std::uint32_t>(image),
                                    outputView<std::uint32_t>(colors)},
                stream);
}

} // namespace pcl::gpu

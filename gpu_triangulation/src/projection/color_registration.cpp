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
ColorRegistration::setDepthCamera(const PinholeCamera& camera)
{
  camera.validate();
  depth_camera_ = camera;
}

void
ColorRegistration::setColorCamera(const PinholeCamera& camera)
{
  camera.validate();
  color_camera_ = camera;
}

void
ColorRegistration::setColorCameraPose(const Pose& pose)
{
  validatePose(pose, "colour camera pose");
  pose_ = pose;
}

void
ColorRegistration::setOcclusionTolerance(float tolerance)
{
  checkPositive("occlusion tolerance", tolerance);
  tolerance_ = tolerance;
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
  checkCamera("depth camera", depth_camera_, "its image", depth);
  checkCamera("color camera", color_camera_, "its image", image);
  checkArgument(depth.empty() || !image.empty(), "image", "empty", "a colour image");
  createOn(device, colors, depth.rows(), depth.cols());
  if (depth.empty())
    return;

  device::RegistrationParameters parameters;
  parameters.depth_camera = intrinsicsOf(depth_camera_);
  parameters.fx = color_camera_.fx;
  parameters.fy = color_camera_.fy;
  parameters.cx = color_camera_.cx;
  parameters.cy = color_camera_.cy;
  const Pose depth_to_color = pose_.inverse();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      parameters.depth_to_color.m[row][column] = depth_to_color(row, column);
  parameters.tolerance = tolerance_;
  // A depth pixel spans this many colour pixels; half of them to each side leave no gaps.
  const float magnification = std::max(color_camera_.fx / depth_camera_.fx,
                                       color_camera_.fy / depth_camera_.fy);
  parameters.splat_radius =
      std::clamp(static_cast<int>(std::ceil(0.5f * (magnification - 1.0f))), 0, 16);

  const std::size_t pixels = static_cast<std::size_t>(image.rows()) * image.cols();
  workspace_.reserve(Workspace::bytesFor<std::uint32_t>(pixels));
  std::uint32_t* const depth_buffer = workspace_.take<std::uint32_t>(pixels);
  fillAsync(device, depth_buffer, 0xff, pixels * sizeof(std::uint32_t), stream);
  const device::ColorProjection project{
      inputView<float>(depth), parameters, image.cols(), image.rows()};
  parallelFor2D(device,
                depth.cols(),
                depth.rows(),
                device::SplatDepth{project, depth_buffer},
                stream);
  parallelFor2D(device,
                depth.cols(),
                depth.rows(),
                device::LookUpColor{project,
                                    depth_buffer,
                                    inputView<std::uint32_t>(image),
                                    outputView<std::uint32_t>(colors)},
                stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <cmath>

namespace pcl::gpu {

namespace {

void
checkSize(const char* name, int size)
{
  checkArgument(
      size >= 1 && size <= CameraView::max_size, name, size, "1 to 16384 pixels");
}

/** \brief Pixels are divided by it. */
void
checkInvertible(const char* name, float value)
{
  checkArgument(
      std::isfinite(1.0f / value), name, value, "a number whose reciprocal is finite");
}

PinholeCamera
checked(const PinholeCamera& camera)
{
  camera.validate();
  checkInvertible("fx", camera.fx);
  checkInvertible("fy", camera.fy);
  return camera;
}

PinholeCamera
checked(const OrthographicCamera& camera)
{
  checkPositive("scale_x", camera.scale_x);
  checkPositive("scale_y", camera.scale_y);
  checkInvertible("scale_x", camera.scale_x);
  checkInvertible("scale_y", camera.scale_y);
  checkArgument(std::isfinite(camera.cx), "cx", camera.cx, "a finite number");
  checkArgument(std::isfinite(camera.cy), "cy", camera.cy, "a finite number");
  return {camera.scale_x,
          camera.scale_y,
          camera.cx,
          camera.cy,
          camera.width,
          camera.height};
}

} // namespace

CameraView::CameraView(const PinholeCamera& camera, const Pose& pose)
: CameraView(checked(camera), false, pose)
{}

CameraView::CameraView(const OrthographicCamera& camera, const Pose& pose)
: CameraView(checked(camera), true, pose)
{}

CameraView::CameraView(const PinholeCamera& intrinsics,
                       bool orthographic,
                       const Pose& pose)
: intrinsics_(intrinsics)
, orthographic_(orthographic)
, pose_(pose)
{
  checkSize("image width", intrinsics.width);
  checkSize("image height", intrinsics.height);
  validatePose(pose, "camera pose");
}

} // namespace pcl::gpu

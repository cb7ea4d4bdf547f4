// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <cmath>

namespace pcl::gpu {

PinholeCamera
PinholeCamera::fromFieldOfView(float angle, int width, int height)
{
  checkArgument(angle > 0.0f && angle < static_cast<float>(M_PI),
                "field of view",
                angle,
                "more than 0 and less than pi");
  checkArgument(width >= 1, "image width", width, "1 or more");
  checkArgument(height >= 1, "image height", height, "1 or more");
  PinholeCamera camera;
  camera.fx = camera.fy = static_cast<float>(0.5 * height / std::tan(0.5 * angle));
  // Pixel centres are at integers: the image reaches from -0.5 to width - 0.5.
  camera.cx = 0.5f * static_cast<float>(width - 1);
  camera.cy = 0.5f * static_cast<float>(height - 1);
  camera.width = width;
  camera.height = height;
  return camera;
}

PinholeCamera
PinholeCamera::resized(int new_width, int new_height) const
{
  checkArgument(width >= 1, "image width", width, "1 or more");
  checkArgument(height >= 1, "image height", height, "1 or more");
  checkArgument(new_width >= 1, "new image width", new_width, "1 or more");
  checkArgument(new_height >= 1, "new image height", new_height, "1 or more");
  const float across = static_cast<float>(new_width) / width,
              down = static_cast<float>(new_height) / height;
  PinholeCamera camera;
  camera.fx = fx * across;
  camera.fy = fy * down;
  camera.cx = (cx + 0.5f) * across - 0.5f;
  camera.cy = (cy + 0.5f) * down - 0.5f;
  camera.width = new_width;
  camera.height = new_height;
  return camera;
}

void
PinholeCamera::validate() const
{
  checkPositive("focal length fx", fx);
  checkPositive("focal length fy", fy);
  checkArgument(std::isfinite(cx), "principal point cx", cx, "a finite number");
  checkArgument(std::isfinite(cy), "principal point cy", cy, "a finite number");
  checkArgument(width >= 0, "image width", width, "zero or more");
  checkArgument(height >= 0, "image height", height, "zero or more");
}

} // namespace pcl::gpu

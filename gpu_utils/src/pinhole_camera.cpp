// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/pinhole_camera.h>

namespace pcl {
namespace gpu {

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

} // namespace gpu
} // namespace pcl

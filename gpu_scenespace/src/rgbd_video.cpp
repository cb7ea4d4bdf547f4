// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/rgbd_video.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/exception_message.h>

namespace pcl {
namespace gpu {

void
validateView(const RGBDView& view, int number)
{
  try {
    view.depth_camera.validate();
    view.color_camera.validate();
    validatePose(view.depth_pose, "depth camera's pose");
    validatePose(view.color_pose, "colour camera's pose");
    checkArgument(std::isfinite(view.time), "time", view.time, "a finite number");
  }
  catch (const BadArgumentException& error) {
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "frame " << number << " (" << view.name
                                 << "): " << messageOf(error));
  }
}

} // namespace gpu
} // namespace pcl

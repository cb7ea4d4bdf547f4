// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/argument_checks.h>

namespace pcl::gpu {

std::string
frameName(const RGBDView& view, int number)
{
  return "frame " + std::to_string(number) +
         (view.name.empty() ? "" : " (" + view.name + ")");
}

void
checkTimes(const RGBDView& before, const RGBDView& view, int number)
{
  if (view.time < before.time)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        frameName(view, number)
                            << ": time is " << view.time << ": expected " << before.time
                            << " or later");
}

void
checkFrameNumber(int number, int size, const char* name)
{
  checkBetween(name, number, 0, size - 1, "0 to the number of frames less 1");
}

void
checkVideo(const RGBDVideo::ConstPtr& video)
{
  checkArgument(video != nullptr, "video", "null", "a video");
}

void
checkFrameRange(const RGBDVideo::ConstPtr& video, int begin, int end)
{
  checkVideo(video);
  const int size = video->size();
  checkBetween("first frame", begin, 0, size, "0 to the number of all frames");
  checkBetween("last frame's successor", end, begin, size, "the first frame or later");
}

void
validateView(const RGBDView& view, int number)
{
  namingFrame<BadArgumentException>(view, number, [&] {
    view.depth_camera.validate();
    view.color_camera.validate();
    validatePose(view.depth_pose, "depth camera's pose");
    validatePose(view.color_pose, "colour camera's pose");
    checkArgument(std::isfinite(view.time), "time", view.time, "a finite number");
  });
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <utility>

namespace pcl::gpu {

namespace {

template <typename Pixel>
void
checkImage(PinholeCamera& camera,
           const Image<Pixel>& image,
           const char* name,
           const std::string& frame)
{
  const bool complete =
      image.width > 0 && image.height > 0 &&
      image.pixels.size() == static_cast<std::size_t>(image.width) * image.height;
  if (!hasSize(camera))
    setSize(camera, image);
  if (!complete || camera.width != image.width || camera.height != image.height)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        frame << ": " << name << " has " << image.width << " x "
                              << image.height << " pixels, " << image.pixels.size()
                              << " of them: expected " << camera.width << " x "
                              << camera.height);
}

} // namespace

void
RGBDRecording::add(RGBDFrame frame)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const int number = static_cast<int>(frames_.size());
  validateView(frame, number);
  if (number > 0)
    checkTimes(*frames_.back(), frame, number);
  checkImage(frame.depth_camera, frame.depth, "depth", frameName(frame, number));
  checkImage(frame.color_camera, frame.color, "colour", frameName(frame, number));
  frames_.push_back(std::make_shared<const RGBDFrame>(std::move(frame)));
}

int
RGBDRecording::size() const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(frames_.size());
}

RGBDView
RGBDRecording::view(int number) const
{
  return *frame(number);
}

RGBDFrame
RGBDRecording::read(int number) const
{
  return *frame(number);
}

std::shared_ptr<const RGBDFrame>
RGBDRecording::frame(int number) const
{
  const std::lock_guard<std::mutex> lock(mutex_);
  checkFrameNumber(number, static_cast<int>(frames_.size()));
  return frames_[number];
}

} // namespace pcl::gpu

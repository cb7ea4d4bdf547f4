// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_video_files.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/missing_depth.h>

#include <limits>
#include <utility>

namespace pcl::gpu {

RGBDVideoFiles::RGBDVideoFiles(std::vector<Frame> frames,
                               float depth_unit,
                               std::optional<std::uint16_t> missing_depth)
: frames_(std::move(frames))
, depth_unit_(depth_unit)
, missing_depth_(missing_depth)
{
  checkPositive("depth unit", depth_unit);
  checkArgument(!frames_.empty(), "number of frames", frames_.size(), "1 or more");
  for (int i = 0; i < size(); ++i) {
    validateView(frames_[i].view, i);
    if (i > 0)
      checkTimes(frames_[i - 1].view, frames_[i].view, i);
  }
  // Of the size of the first frame's images, once one is needed.
  PinholeCamera depth, color;
  for (Frame& frame : frames_) {
    if (!hasSize(frame.view.depth_camera)) {
      if (!hasSize(depth))
        setSize(depth, readDepthImage(frames_.front().depth_file));
      setSize(frame.view.depth_camera, depth);
    }
    if (!hasSize(frame.view.color_camera)) {
      if (!hasSize(color))
        setSize(color, readColorImage(frames_.front().color_file));
      setSize(frame.view.color_camera, color);
    }
  }
}

int
RGBDVideoFiles::size() const
{
  return static_cast<int>(frames_.size());
}

RGBDView
RGBDVideoFiles::view(int number) const
{
  return frame(number).view;
}

RGBDFrame
RGBDVideoFiles::read(int number) const
{
  const Frame& files = frame(number);
  return namingFrame<IOException>(files.view, number, [&] {
    RGBDFrame read;
    static_cast<RGBDView&>(read) = files.view;
    read.color = readColorImage(files.color_file);
    checkSize(read.color_camera, read.color, files.color_file);
    DepthImage depth = readDepthImage(files.depth_file);
    checkSize(read.depth_camera, depth, files.depth_file);
    clearMissingDepth(depth, missing_depth_);
    read.depth.resize(depth.width, depth.height);
    for (std::size_t i = 0; i < depth.pixels.size(); ++i)
      read.depth.pixels[i] = depth.pixels[i] == 0
                                 ? std::numeric_limits<float>::quiet_NaN()
                                 : depth_unit_ * depth.pixels[i];
    return read;
  });
}

const RGBDVideoFiles::Frame&
RGBDVideoFiles::frame(int number) const
{
  checkFrameNumber(number, size());
  return frames_[number];
}

} // namespace pcl::gpu

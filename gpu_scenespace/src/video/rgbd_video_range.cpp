// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/video/rgbd_video_range.h>

#include <utility>

namespace pcl::gpu {

RGBDVideoRange::RGBDVideoRange(RGBDVideo::ConstPtr video, int begin, int end)
: video_(std::move(video))
, begin_(begin)
, size_(end - begin)
{
  checkFrameRange(video_, begin, end);
}

RGBDView
RGBDVideoRange::view(int number) const
{
  checkFrameNumber(number, size_);
  return video_->view(begin_ + number);
}

RGBDFrame
RGBDVideoRange::read(int number) const
{
  checkFrameNumber(number, size_);
  return video_->read(begin_ + number);
}

} // namespace pcl::gpu

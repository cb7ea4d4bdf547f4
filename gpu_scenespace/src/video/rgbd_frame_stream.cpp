// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/video/rgbd_frame_stream.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <utility>

namespace pcl::gpu {

RGBDFrameStream::RGBDFrameStream(RGBDVideo::ConstPtr video,
                                 int begin,
                                 int end,
                                 int ahead)
: video_(std::move(video))
, next_(begin)
, end_(end)
{
  checkFrameRange(video_, begin, end);
  checkArgument(ahead >= 1, "frames read ahead", ahead, "1 or more");
  for (int i = 0; i < ahead; ++i)
    expectNext();
}

void
RGBDFrameStream::expectNext()
{
  if (next_ == end_)
    return;
  expected_.push_back(std::async(
      std::launch::async, [this, number = next_] { return video_->read(number); }));
  ++next_;
}

bool
RGBDFrameStream::next(RGBDFrame& frame)
{
  if (expected_.empty())
    return false;
  std::future<RGBDFrame> read = std::move(expected_.front());
  expected_.pop_front();
  try {
    expectNext();
    frame = read.get();
  }
  catch (...) {
    next_ = end_;
    expected_.clear();
    throw;
  }
  return true;
}

} // namespace pcl::gpu

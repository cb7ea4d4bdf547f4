// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"

#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/scenespace/video/rgbd_video_range.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

RGBDVideo::ConstPtr
fiveFrames()
{
  const auto video = std::make_shared<RGBDRecording>();
  for (int i = 0; i < 5; ++i) {
    RGBDFrame frame;
    frame.time = i;
    frame.depth_camera = frame.color_camera = {1.0f, 1.0f, 0.0f, 0.0f, 1, 1};
    frame.depth.resize(1, 1);
    frame.depth.pixels[0] = 1.0f;
    frame.color.resize(1, 1);
    frame.color.pixels[0] = pcl::RGB(i, 0, 0);
    video->add(frame);
  }
  return video;
}

TEST(VideoRange, HasTheFramesOfTheRange)
{
  const RGBDVideoRange range(fiveFrames(), 1, 4);
  ASSERT_EQ(range.size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(range.view(i).time, i + 1);
    EXPECT_EQ(range.read(i).color.pixels[0].r, i + 1);
  }
  EXPECT_EQ(RGBDVideoRange(fiveFrames(), 0, 5).size(), 5);
  EXPECT_EQ(RGBDVideoRange(fiveFrames(), 5, 5).size(), 0);
}

TEST(VideoRange, HasNoOthers)
{
  const RGBDVideoRange range(fiveFrames(), 1, 4);
  for (const int number : {-1, 3}) {
    expectBadArgument("frame", [&] { range.view(number); });
    expectBadArgument("frame", [&] { range.read(number); });
  }
}

TEST(VideoRange, RejectsWhatTheVideoDoesNotHave)
{
  expectBadArgument("video is null", [] { RGBDVideoRange(nullptr, 0, 0); });
  expectBadArgument("first frame is -1", [] { RGBDVideoRange(fiveFrames(), -1, 2); });
  expectBadArgument("first frame is 6", [] { RGBDVideoRange(fiveFrames(), 6, 6); });
  expectBadArgument("successor is 6", [] { RGBDVideoRange(fiveFrames(), 2, 6); });
  expectBadArgument("successor is 1", [] { RGBDVideoRange(fiveFrames(), 2, 1); });
}

} // namespace

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"

#include <pcl/gpu/scenespace/video/rgbd_frame_stream.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/point_types.h>

#include <cmath>
#include <limits>
#include <thread>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

RGBDFrame
someFrame(double time)
{
  RGBDFrame frame;
  frame.name = "it";
  frame.time = time;
  frame.depth_camera = frame.color_camera = {5.0f, 5.0f, 2.5f, 1.5f, 0, 0};
  frame.depth.resize(6, 4);
  frame.depth.pixels.assign(24, 1.0f);
  frame.color.resize(12, 8);
  return frame;
}

TEST(Recording, HasTheFramesThatWereAdded)
{
  RGBDRecording recording;
  EXPECT_EQ(recording.size(), 0);
  for (double time : {0.5, 0.5, 0.75})
    recording.add(someFrame(time));
  ASSERT_EQ(recording.size(), 3);
  EXPECT_EQ(recording.view(2).time, 0.75);
  EXPECT_EQ(recording.view(1).depth_camera.width, 6);
  EXPECT_EQ(recording.view(1).color_camera.height, 8);
  EXPECT_EQ(recording.read(0).depth.pixels.size(), 24u);
  for (int bad : {-1, 3})
    expectBadArgument("frame is " + std::to_string(bad), [&] { recording.read(bad); });
}

TEST(Recording, RejectsFramesThatCannotBe)
{
  RGBDRecording recording;
  recording.add(someFrame(1.0));
  expectBadArgument("frame 1 (it): time is 0.5",
                    [&] { recording.add(someFrame(0.5)); });
  RGBDFrame frame = someFrame(2.0);
  frame.depth_camera.fx = 0.0f;
  expectBadArgument("frame 1 (it)", [&] { recording.add(frame); });
  frame = someFrame(2.0);
  frame.depth_camera.width = 7;
  frame.depth_camera.height = 4;
  expectBadArgument("depth has 6 x 4", [&] { recording.add(frame); });
  frame = someFrame(2.0);
  frame.color.pixels.pop_back();
  expectBadArgument("colour has 12 x 8 pixels, 95", [&] { recording.add(frame); });
  frame = someFrame(2.0);
  frame.depth = {};
  expectBadArgument("depth has 0 x 0", [&] { recording.add(frame); });
  EXPECT_EQ(recording.size(), 1);
}

TEST(Recording, GrowsWhileItIsRead)
{
  const auto recording = std::make_shared<RGBDRecording>();
  recording->add(someFrame(0.0));
  std::thread writer([&] {
    for (int i = 1; i < 200; ++i)
      recording->add(someFrame(i));
  });
  int last = 0;
  while (last < 199) {
    last = recording->size() - 1;
    EXPECT_EQ(recording->read(last).time, last);
  }
  writer.join();
}

TEST(RecordedCloud, HasItsDepthAndColor)
{
  pcl::PointCloud<pcl::PointXYZRGBA> cloud(3, 2);
  for (int i = 0; i < 6; ++i) {
    pcl::PointXYZRGBA& point = cloud[i];
    point.x = point.y = 0.25f;
    point.z = 1.0f + i;
    point.r = 10 * i;
    point.g = 200 - i;
    point.b = i;
  }
  cloud[1].z = std::numeric_limits<float>::quiet_NaN();
  cloud[2].z = 0.0f;
  cloud[3].z = -1.0f;
  Pose pose = Pose::Identity();
  pose.translation().x() = 3.0f;
  const RGBDFrame frame =
      toRGBDFrame(cloud, {525.0f, 525.0f, 1.0f, 0.5f, 0, 0}, pose, 4.5);
  EXPECT_EQ(frame.time, 4.5);
  EXPECT_EQ(frame.depth_camera.width, 3);
  EXPECT_EQ(frame.color_camera.height, 2);
  EXPECT_EQ(frame.color_pose.translation().x(), 3.0f);
  for (int i = 0; i < 6; ++i) {
    if (i >= 1 && i <= 3)
      EXPECT_TRUE(std::isnan(frame.depth.pixels[i]));
    else
      EXPECT_EQ(frame.depth.pixels[i], 1.0f + i);
    EXPECT_EQ(frame.color.pixels[i].r, 10 * i);
    EXPECT_EQ(frame.color.pixels[i].g, 200 - i);
    EXPECT_EQ(frame.color.pixels[i].b, i);
  }
  RGBDRecording recording;
  EXPECT_NO_THROW(recording.add(frame));
}

TEST(RecordedCloud, MustBeOrganized)
{
  const pcl::PointCloud<pcl::PointXYZRGB> cloud(6, 1);
  EXPECT_THROW(
      toRGBDFrame(cloud, {525.0f, 525.0f, 1.0f, 0.5f, 0, 0}, Pose::Identity(), 0.0),
      pcl::UnorganizedPointCloudException);
}

} // namespace

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_video_files.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float unit = 0.001f;

class VideoFiles : public testing::Test {
protected:
  /** \brief Some frames, of 30 a second. */
  std::vector<RGBDVideoFiles::Frame>
  frames(int count)
  {
    std::vector<RGBDVideoFiles::Frame> all(count);
    for (int i = 0; i < count; ++i) {
      RGBDVideoFiles::Frame& frame = all[i];
      const std::string name = "frame" + std::to_string(i);
      frame.view.name = name;
      frame.view.time = i / 30.0;
      frame.view.depth_camera = {5.0f, 5.0f, 2.5f, 1.5f, 0, 0};
      frame.view.color_camera = {4.0f, 4.0f, 2.5f, 1.5f, 0, 0};
      frame.view.depth_pose.translation().x() = static_cast<float>(i);
      frame.depth_file = writeDepth(folder_, name + ".depth.png", 1000 * i);
      frame.color_file = writeColor(folder_, name + ".color.png", 10 * i);
    }
    return all;
  }

  TemporaryFolder folder_;
};

TEST_F(VideoFiles, AreReadFrameByFrame)
{
  const RGBDVideoFiles video(frames(3), unit);
  ASSERT_EQ(video.size(), 3);
  for (int number : {2, 0, 1}) {
    const RGBDFrame frame = video.read(number);
    EXPECT_EQ(frame.name, "frame" + std::to_string(number));
    EXPECT_EQ(frame.depth_pose.translation().x(), number);
    ASSERT_EQ(frame.depth.width, frame_width);
    ASSERT_EQ(frame.depth.height, frame_height);
    ASSERT_EQ(frame.color.width, frame_width);
    ASSERT_EQ(frame.color.height, frame_height);
    for (int i = 0; i < frame_width * frame_height; ++i) {
      const int units = 1000 * number + i;
      if (units == 0)
        EXPECT_TRUE(std::isnan(frame.depth.pixels[i]));
      else
        EXPECT_FLOAT_EQ(frame.depth.pixels[i], unit * units);
      EXPECT_EQ(frame.color.pixels[i].r, 10 * number);
      EXPECT_EQ(frame.color.pixels[i].g, i);
    }
  }
}

TEST_F(VideoFiles, TellTheSizeOfCamerasThatHaveNone)
{
  const RGBDVideoFiles video(frames(2), unit);
  for (int number : {0, 1}) {
    const RGBDView view = video.view(number);
    EXPECT_EQ(view.depth_camera.width, frame_width);
    EXPECT_EQ(view.depth_camera.height, frame_height);
    EXPECT_EQ(view.color_camera.width, frame_width);
    EXPECT_EQ(view.color_camera.fx, 4.0f);
  }
}

TEST_F(VideoFiles, MayHaveColorOfAnotherSizeThanDepth)
{
  auto all = frames(2);
  for (auto& frame : all)
    frame.color_file = writeColor(folder_, frame.view.name + ".large.png", 5, 12, 8);
  const RGBDFrame frame = RGBDVideoFiles(all, unit).read(1);
  EXPECT_EQ(frame.color_camera.width, 12);
  EXPECT_EQ(frame.color.height, 8);
  EXPECT_EQ(frame.depth_camera.width, frame_width);
}

TEST_F(VideoFiles, HaveNoDepthWhereTheSensorHasNone)
{
  auto all = frames(1);
  all[0].depth_file = writeDepth(folder_, "ends", 65535 - 3);
  // Four pixels before 0 are a surface that ends at 65535.
  RGBDFrame frame = RGBDVideoFiles(all, unit).read(0);
  EXPECT_FLOAT_EQ(frame.depth.pixels[3], unit * 65535);
  EXPECT_TRUE(std::isnan(frame.depth.pixels[4])); // 0
  EXPECT_FLOAT_EQ(frame.depth.pixels[5], unit * 1);
  frame = RGBDVideoFiles(all, unit, 65534).read(0);
  EXPECT_TRUE(std::isnan(frame.depth.pixels[2]));
  EXPECT_FLOAT_EQ(frame.depth.pixels[3], unit * 65535);
  // A marker stands alone.
  all[0].depth_file = writeDepth(folder_, "marked", 65535);
  frame = RGBDVideoFiles(all, unit).read(0);
  EXPECT_TRUE(std::isnan(frame.depth.pixels[0])); // 65535
  EXPECT_TRUE(std::isnan(frame.depth.pixels[1])); // 0
  EXPECT_FLOAT_EQ(RGBDVideoFiles(all, unit, 0).read(0).depth.pixels[0], unit * 65535);
}

TEST_F(VideoFiles, OfAnotherSizeThanTheirCamerasAreRejected)
{
  auto all = frames(3);
  writeDepth(folder_, "frame1.depth.png", 1, 5, 4);
  writeColor(folder_, "frame2.color.png", 1, 6, 3);
  const RGBDVideoFiles video(all, unit);
  EXPECT_NO_THROW(video.read(0));
  expectBadFile({"frame 1", "frame1.depth.png", "5 x 4", "6 x 4"},
                [&] { video.read(1); });
  expectBadFile({"frame 2", "frame2.color.png", "6 x 3", "6 x 4"},
                [&] { video.read(2); });
}

TEST_F(VideoFiles, ThatCannotBeReadAreNamed)
{
  auto all = frames(2);
  all[1].color_file = folder_ / "absent.png";
  const RGBDVideoFiles video(all, unit);
  expectBadFile({"frame 1", "absent.png", "No such file"}, [&] { video.read(1); });
}

TEST_F(VideoFiles, RejectFramesThatTheyDoNotHave)
{
  const RGBDVideoFiles video(frames(2), unit);
  for (int number : {-1, 2}) {
    expectBadArgument("frame is " + std::to_string(number),
                      [&] { video.view(number); });
    expectBadArgument("frame is " + std::to_string(number),
                      [&] { video.read(number); });
  }
}

TEST_F(VideoFiles, RejectWhatNoVideoHas)
{
  expectBadArgument("number of frames", [] { RGBDVideoFiles({}, unit); });
  const auto good = frames(2);
  for (float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    expectBadArgument("depth unit", [&] { RGBDVideoFiles(good, bad); });
  auto all = good;
  all[1].view.time = -1.0;
  expectBadArgument("frame 1 (frame1): time is -1", [&] { RGBDVideoFiles(all, unit); });
  all[1].view.time = std::numeric_limits<double>::quiet_NaN();
  expectBadArgument("frame 1 (frame1): time", [&] { RGBDVideoFiles(all, unit); });
  all = good;
  all[1].view.color_camera.fx = -4.0f;
  expectBadArgument("frame 1 (frame1)", [&] { RGBDVideoFiles(all, unit); });
  all = good;
  all[0].view.depth_pose.linear() *= 2.0f;
  expectBadArgument("frame 0 (frame0): depth camera's pose",
                    [&] { RGBDVideoFiles(all, unit); });
}

} // namespace

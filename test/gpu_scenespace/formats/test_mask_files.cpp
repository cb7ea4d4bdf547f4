// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/mask_files.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class MaskFiles : public ::testing::Test {
protected:
  MaskFiles()
  {
    // As TUM's frames are named, which have an ending.
    for (const char* name : {"9.5.png", "10.5.png", "11.5.png"}) {
      RGBDFrame frame;
      frame.name = name;
      frame.depth_camera = frame.color_camera = {1.0f, 1.0f, 0.0f, 0.0f, 6, 4};
      frame.depth.resize(frame_width, frame_height);
      frame.color.resize(frame_width, frame_height);
      video_.add(frame);
    }
  }

  // Pixel i has the colour (level, i, 0), so that only the first may be black.
  void
  write(const std::string& name, int level)
  {
    writeColor(folder_, name, level);
  }

  RGBDRecording video_;
  TemporaryFolder folder_;
};

void
expectMask(const Image<std::uint8_t>& mask, int first)
{
  ASSERT_EQ(mask.width, frame_width);
  ASSERT_EQ(mask.height, frame_height);
  EXPECT_EQ(mask.pixels[0], first);
  for (int i = 1; i < frame_width * frame_height; ++i)
    EXPECT_EQ(mask.pixels[i], 255);
}

TEST_F(MaskFiles, BelongToFramesOfTheirNames)
{
  write("11.5.png", 0);
  write("9.5.png", 1);
  const auto masks = openMasks(folder_ / "", video_);
  expectMask(masks(0), 255);
  EXPECT_TRUE(masks(1).empty());
  expectMask(masks(2), 0);
}

TEST_F(MaskFiles, BelongToFramesInTheOrderOfNumbers)
{
  write("m-9.png", 0);
  write("m-10.png", 1);
  write("m-100.PNG", 0);
  folder_.write("notes.txt", "");
  const auto masks = openMasks(folder_ / "", video_);
  expectMask(masks(0), 0);
  expectMask(masks(1), 255);
  expectMask(masks(2), 0);
}

TEST_F(MaskFiles, AreOneForAll)
{
  write("all.png", 0);
  const auto masks = openMasks(folder_ / "all.png", video_);
  for (int i = 0; i < 3; ++i)
    expectMask(masks(i), 0);
}

TEST_F(MaskFiles, AreRejectedIfTheyBelongToNoFrame)
{
  expectBadFile({folder_ / "absent", "no such file"},
                [&] { openMasks(folder_ / "absent", video_); });
  expectBadFile({"0 PNG files", "3, one for each"},
                [&] { openMasks(folder_ / "", video_); });
  write("9.5.png", 1);
  write("other.png", 1);
  expectBadFile({"2 PNG files", "3, one for each"},
                [&] { openMasks(folder_ / "", video_); });
}

TEST_F(MaskFiles, AreReadWhenTheyAreAskedFor)
{
  const auto masks = openMasks(folder_.write("9.5.png", "no image"), video_);
  expectBadFile({"9.5.png"}, [&] { masks(0); });
}

} // namespace

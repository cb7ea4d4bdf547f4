// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Twelve frames whose names have no leading zeros: 0, 1, ... 11. */
class ColorDepthFolder : public testing::Test {
protected:
  ColorDepthFolder()
  {
    for (const char* name : {"color", "depth"})
      std::filesystem::create_directory(folder_ / name);
    std::string poses;
    for (int i = 0; i < frames; ++i) {
      writeDepth(folder_, "depth/" + std::to_string(i) + ".png", 1000 + i);
      writeColor(folder_, "color/c" + std::to_string(i) + ".png", i);
      poses += oneLine(matrixText(pose(i)));
    }
    folder_.write("poses.txt", poses);
    folder_.write("intrinsics.txt", "10 11 2 1 0.002\n");
  }

  static Pose
  pose(int i)
  {
    return turned(0.1f * i, i);
  }

  /** \brief The first rows of a pose's matrix, in a line. */
  static std::string
  rows(int i)
  {
    std::string text = oneLine(matrixText(pose(i)));
    return text.substr(0, text.size() - std::string("0 0 0 1  ").size()) + "\n";
  }

  std::string
  path() const
  {
    return folder_ / "";
  }

  void
  expectPoses() const
  {
    const RGBDVideo::ConstPtr video = openRGBDFolder(path());
    ASSERT_EQ(video->size(), frames);
    for (int i = 0; i < frames; ++i) {
      EXPECT_TRUE(video->view(i).depth_pose.isApprox(pose(i), 1e-6f)) << i;
      EXPECT_TRUE(video->view(i).color_pose.isApprox(pose(i), 1e-6f)) << i;
    }
  }

  static constexpr int frames = 12;
  TemporaryFolder folder_;
};

TEST_F(ColorDepthFolder, HasItsPosesAndImages)
{
  // Files that are no images do not count.
  folder_.write("color/.hidden.png", "");
  folder_.write("depth/Thumbs.db", "");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), frames);
  for (int i = 0; i < frames; ++i) {
    const RGBDFrame frame = video->read(i);
    EXPECT_EQ(frame.name, "c" + std::to_string(i));
    EXPECT_DOUBLE_EQ(frame.time, static_cast<double>(i) / 30.0f);
    EXPECT_EQ(frame.depth_camera.fy, 11.0f);
    EXPECT_EQ(frame.color_camera.fx, 10.0f);
    EXPECT_EQ(frame.color_camera.width, frame_width);
    EXPECT_FLOAT_EQ(frame.depth.pixels[0], 0.002f * (1000 + i));
    EXPECT_EQ(frame.color.pixels[0].r, i);
  }
  expectPoses();
}

TEST_F(ColorDepthFolder, MayHaveOtherNames)
{
  for (const char* name : {"rgb", "colour", "color"}) {
    for (const char* other : {"rgb", "colour", "color"})
      if (std::filesystem::exists(folder_ / other))
        std::filesystem::rename(folder_ / other, folder_ / name);
    EXPECT_EQ(openRGBDFolder(path())->size(), frames);
  }
  for (int i = 0; i < frames; ++i) {
    const std::string name = "color/c" + std::to_string(i);
    std::filesystem::rename(folder_ / (name + ".png"), folder_ / (name + ".JPG"));
  }
  EXPECT_EQ(openRGBDFolder(path())->read(11).color.pixels[0].r, 11);
}

TEST_F(ColorDepthFolder, MayHavePosesOfManyKinds)
{
  std::string first_rows, numbered, named, timed;
  for (int i = 0; i < frames; ++i)
    first_rows += rows(i);
  for (int i = frames; i >= 0; --i) {
    numbered += "000" + std::to_string(i) + " " + rows(i);
    named += "c" + std::to_string(i) + " " + oneLine(matrixText(pose(i)));
  }
  for (const std::string& poses : {first_rows, numbered, named}) {
    folder_.write("poses.txt", "# poses\n" + poses);
    expectPoses();
  }
  for (int i = 0; i < frames; ++i) {
    const Eigen::Quaternionf turn(pose(i).linear());
    std::ostringstream line;
    line.precision(9);
    line << 100.5 + i << " " << pose(i).translation().transpose() << " "
         << turn.coeffs().transpose() << "\n";
    timed += line.str();
  }
  folder_.write("poses.txt", timed);
  expectPoses();
  EXPECT_EQ(openRGBDFolder(path())->view(3).time, 103.5);
}

TEST_F(ColorDepthFolder, MayHaveCamerasOfEachFrame)
{
  std::string cameras, color_cameras, color_poses;
  for (int i = 0; i < frames; ++i) {
    cameras += "6 4 " + std::to_string(10 + i) + " 11 2 1\n";
    color_cameras += std::to_string(20 + i) + " 21 2 1\n";
    color_poses += rows(i + 1);
  }
  folder_.write("intrinsics.txt", cameras);
  folder_.write("color_intrinsics.txt", color_cameras);
  folder_.write("color_poses.txt", color_poses);
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int i = 0; i < frames; ++i) {
    const RGBDFrame frame = video->read(i);
    EXPECT_EQ(frame.depth_camera.fx, 10.0f + i);
    EXPECT_EQ(frame.color_camera.fx, 20.0f + i);
    EXPECT_TRUE(frame.depth_pose.isApprox(pose(i), 1e-6f));
    EXPECT_TRUE(frame.color_pose.isApprox(pose(i + 1), 1e-6f));
    EXPECT_FLOAT_EQ(frame.depth.pixels[0], 0.001f * (1000 + i));
  }
}

TEST_F(ColorDepthFolder, MaySayWhereItsColorCameraIs)
{
  const Pose color_to_depth = turned(0.02f, 0.05f);
  EXPECT_FALSE(namesColorCamera(path()));
  folder_.write("color_to_depth.txt", matrixText(color_to_depth));
  EXPECT_TRUE(namesColorCamera(path()));
  folder_.write("color_intrinsics.txt", "12 8 20 21 2 1\n");
  for (int i = 0; i < frames; ++i)
    writeColor(folder_, "color/c" + std::to_string(i) + ".png", i, 12, 8);
  EXPECT_EQ(openRGBDFolder(path())->read(1).color.width, 12);
  const RGBDView view = openRGBDFolder(path())->view(5);
  EXPECT_EQ(view.color_camera.fy, 21.0f);
  EXPECT_TRUE(view.depth_pose.isApprox(pose(5), 1e-6f));
  EXPECT_TRUE(view.color_pose.isApprox(pose(5) * color_to_depth, 1e-6f));
}

TEST_F(ColorDepthFolder, TakesWhatOptionsSay)
{
  folder_.write("color_to_depth.txt", matrixText(turned(0.02f, 0.05f)));
  folder_.write("color_intrinsics.txt", "20 21 2 1\n");
  std::filesystem::remove(folder_ / "intrinsics.txt");
  RGBDFolderOptions options;
  options.depth_camera = {7.0f, 7.0f, 3.0f, 2.0f, 0, 0};
  options.color_camera = {8.0f, 8.0f, 3.0f, 2.0f, 0, 0};
  options.color_to_depth = turned(0.3f, 1.0f);
  options.frame_rate = 10.0f;
  const RGBDFrame frame = openRGBDFolder(path(), options)->read(2);
  EXPECT_EQ(frame.depth_camera.fx, 7.0f);
  EXPECT_EQ(frame.color_camera.fx, 8.0f);
  EXPECT_FLOAT_EQ(frame.time, 0.2f);
  EXPECT_FLOAT_EQ(frame.depth.pixels[0], 0.001f * 1002);
  EXPECT_TRUE(frame.color_pose.isApprox(pose(2) * options.color_to_depth, 1e-6f));
  options.depth_unit = 0.5f;
  EXPECT_FLOAT_EQ(openRGBDFolder(path(), options)->read(2).depth.pixels[0],
                  0.5f * 1002);
}

TEST_F(ColorDepthFolder, ThatIsIncompleteIsRejected)
{
  std::filesystem::remove(folder_ / "depth/4.png");
  expectBadFile({"12 colour images and 11 depth maps"},
                [&] { openRGBDFolder(path()); });
  std::filesystem::remove(folder_ / "color/c4.png");
  expectBadFile({"poses.txt", "12 poses", "11"}, [&] { openRGBDFolder(path()); });
  std::filesystem::remove(folder_ / "poses.txt");
  expectBadFile({"poses.txt", "No such file"}, [&] { openRGBDFolder(path()); });
  std::filesystem::remove(folder_ / "intrinsics.txt");
  expectBadFile({"intrinsics.txt", "No such file"}, [&] { openRGBDFolder(path()); });
  std::filesystem::remove_all(folder_ / "color");
  expectBadFile({"no RGB-D video"}, [&] { openRGBDFolder(path()); });
}

TEST_F(ColorDepthFolder, OfPosesThatAreNoneIsRejected)
{
  const auto expectBadPoses = [&](const std::string& text,
                                  std::vector<std::string> words) {
    folder_.write("poses.txt", text);
    words.push_back("poses.txt");
    expectBadFile(words, [&] { openRGBDFolder(path()); });
  };
  expectBadPoses("1 2 3\n", {"line 1", "3 words"});
  expectBadPoses(rows(0) + "1 " + rows(1), {"line 2", "13 words", "12"});
  expectBadPoses("0 " + rows(0), {"no pose of frame c1"});
  expectBadPoses("name " + rows(0), {"no pose of frame c0"});
  expectBadPoses("1 0 0 0 0 1 0 0 0 0 1 0 3 4 5 1\n", {"line 1", "last row"});
  expectBadPoses("1 0 0 0 0 1 0 0 0 0 one 0\n", {"line 1", "one"});
  expectBadPoses("1 2 3 4 0 0 0 0.5\n", {"line 1", "quaternion"});
}

TEST_F(ColorDepthFolder, OfCamerasThatAreNoneIsRejected)
{
  const auto expectBadCameras = [&](const std::string& text,
                                    std::vector<std::string> words) {
    folder_.write("intrinsics.txt", text);
    words.push_back("intrinsics.txt");
    expectBadFile(words, [&] { openRGBDFolder(path()); });
  };
  expectBadCameras("", {"0 lines", "12"});
  expectBadCameras("5 5 2 1\n5 5 2 1\n", {"2 lines", "12"});
  expectBadCameras("5 5 2\n", {"line 1", "3 words"});
  expectBadCameras("0 4 5 5 2 1\n", {"line 1", "a side of 0"});
  expectBadCameras("5 5 2 1 0\n", {"line 1", "a depth unit of 0"});
  std::string lines = "5 5 2 1 0.002\n";
  for (int i = 1; i < frames; ++i)
    lines += "5 5 2 1\n";
  expectBadCameras(lines, {"line 2", "a depth unit of 0.001"});
  folder_.write("intrinsics.txt", "0 5 2 1\n");
  expectBadFile({path(), "frame 0 (c0)", "fx is 0"}, [&] { openRGBDFolder(path()); });
}

} // namespace

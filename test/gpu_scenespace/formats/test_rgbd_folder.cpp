// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <Eigen/Geometry>

#include <clocale>
#include <cmath>
#include <sstream>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class SevenScenes : public testing::Test {
protected:
  SevenScenes()
  {
    for (int i = 0; i < 3; ++i) {
      writeDepth(folder_, name(i) + ".depth.png", 1000 + i);
      writeColor(folder_, name(i) + ".color.png", i);
      folder_.write(name(i) + ".pose.txt", matrixText(turned(0.1f * i, i)));
    }
  }

  static std::string
  name(int i)
  {
    return (i < 2 ? "frame-00000" : "frame-0000") + std::to_string(8 + i);
  }

  std::string
  path() const
  {
    return folder_ / "";
  }

  TemporaryFolder folder_;
};

TEST_F(SevenScenes, HaveTheirPosesAndImages)
{
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 3);
  for (int i = 0; i < 3; ++i) {
    const RGBDFrame frame = video->read(i);
    EXPECT_EQ(frame.name, name(i));
    EXPECT_DOUBLE_EQ(frame.time, static_cast<double>(i) / 30.0f);
    EXPECT_TRUE(frame.depth_pose.isApprox(turned(0.1f * i, i), 1e-6f));
    EXPECT_TRUE(frame.color_pose.isApprox(turned(0.1f * i, i), 1e-6f));
    EXPECT_EQ(frame.depth_camera.fx, 585.0f);
    EXPECT_EQ(frame.color_camera.cy, 240.0f);
    EXPECT_FLOAT_EQ(frame.depth.pixels[0], 0.001f * (1000 + i));
    EXPECT_EQ(frame.color.pixels[0].r, i);
  }
}

/** \brief Sets a locale that writes commas, while it lives. */
class CommaLocale {
public:
  CommaLocale()
  {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
      is_there = is_there || std::setlocale(LC_ALL, name) != nullptr;
  }

  ~CommaLocale() { std::setlocale(LC_ALL, "C"); }

  bool is_there = false;
};

TEST_F(SevenScenes, HaveTheirPosesInEveryLocale)
{
  const CommaLocale locale;
  if (!locale.is_there)
    GTEST_SKIP() << "no locale with commas";
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(video->read(i).depth_pose.isApprox(turned(0.1f * i, i), 1e-6f));
}

TEST_F(SevenScenes, MayHaveSignsBeforeNumbers)
{
  folder_.write(name(0) + ".pose.txt",
                "+1 0 0 -2.5e-1\n0 1 0 +.5\n0 0 1 0\n0 0 0 1.\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  const Eigen::Vector3f place = video->view(0).color_pose.translation();
  EXPECT_EQ(place.x(), -0.25f);
  EXPECT_EQ(place.y(), 0.5f);
  for (const char* word : {"+-1", "1,0", "0x1", "1e", "nan", "inf", "1e999"}) {
    folder_.write(name(0) + ".pose.txt",
                  std::string(word) + " 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
    EXPECT_THROW(openRGBDFolder(path())->view(0), pcl::IOException) << word;
  }
}

TEST_F(SevenScenes, MayHaveOneFileOfPosesAndIntrinsics)
{
  std::string poses = "# number and matrix\n";
  for (int i = 0; i < 3; ++i) {
    poses +=
        "0000" + std::to_string(8 + i) + " " + oneLine(matrixText(turned(1.0f, -i)));
    std::filesystem::remove(folder_ / (name(i) + ".pose.txt"));
  }
  folder_.write("poses.txt", poses);
  folder_.write("intrinsics.txt",
                "# width height fx fy cx cy unit\n6 4 10 11 2 1 0.002\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int i = 0; i < 3; ++i) {
    const RGBDFrame frame = video->read(i);
    EXPECT_TRUE(frame.depth_pose.isApprox(turned(1.0f, -i), 1e-6f));
    EXPECT_EQ(frame.depth_camera.fy, 11.0f);
    EXPECT_EQ(frame.depth_camera.width, 6);
    EXPECT_FLOAT_EQ(frame.depth.pixels[1], 0.002f * (1001 + i));
  }
}

TEST_F(SevenScenes, MayHaveIntrinsicsOfEachFrame)
{
  folder_.write("intrinsics.txt",
                "10 11 2 1 0.002\n20 21 2 1 0.002\n30 31 2 1 0.002\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(video->view(i).depth_camera.fx, 10.0f * (i + 1));
    EXPECT_EQ(video->view(i).color_camera.fy, 10.0f * (i + 1) + 1.0f);
  }
}

TEST_F(SevenScenes, AreInTheOrderOfTheirNumbers)
{
  const TemporaryFolder folder;
  for (int i : {8, 9, 10, 100}) {
    const std::string frame = "f" + std::to_string(i);
    writeDepth(folder, frame + ".depth.png", 1000);
    writeColor(folder, frame + ".color.png", 0);
    folder.write(frame + ".pose.txt", matrixText(Pose::Identity()));
  }
  const RGBDVideo::ConstPtr video = openRGBDFolder(folder / "");
  ASSERT_EQ(video->size(), 4);
  EXPECT_EQ(video->view(1).name, "f9");
  EXPECT_EQ(video->view(2).name, "f10");
  EXPECT_EQ(video->view(3).name, "f100");
}

TEST_F(SevenScenes, TakeWhatOptionsSay)
{
  RGBDFolderOptions options;
  options.depth_camera = {7.0f, 7.0f, 3.0f, 2.0f, 0, 0};
  options.color_camera = {8.0f, 8.0f, 3.0f, 2.0f, 0, 0};
  options.color_to_depth = turned(0.2f, 0.025f);
  options.depth_unit = 0.5f;
  options.frame_rate = 10.0f;
  const RGBDFrame frame = openRGBDFolder(path(), options)->read(2);
  EXPECT_EQ(frame.depth_camera.fx, 7.0f);
  EXPECT_EQ(frame.color_camera.fx, 8.0f);
  EXPECT_FLOAT_EQ(frame.time, 0.2f);
  EXPECT_FLOAT_EQ(frame.depth.pixels[0], 0.5f * 1002);
  EXPECT_TRUE(frame.depth_pose.isApprox(turned(0.2f, 2.0f), 1e-6f));
  // A point before the colour camera is the same point of the world through both.
  const Eigen::Vector3f point(0.1f, 0.2f, 1.5f);
  EXPECT_TRUE(
      (frame.color_pose * point)
          .isApprox(frame.depth_pose * (options.color_to_depth * point), 1e-5f));
}

TEST_F(SevenScenes, ThatAreIncompleteAreRejected)
{
  std::filesystem::remove(folder_ / (name(1) + ".color.png"));
  expectBadFile({"no colour image", name(1)}, [&] { openRGBDFolder(path()); });
  writeColor(folder_, name(1) + ".color.png", 1);
  std::filesystem::remove(folder_ / (name(1) + ".pose.txt"));
  expectBadFile({name(1) + ".pose.txt", "No such file"},
                [&] { openRGBDFolder(path()); });
  folder_.write(name(1) + ".pose.txt", "1 0 0 0\n0 1 0 0\n0 0 1\n");
  expectBadFile({name(1) + ".pose.txt", "11 numbers", "16"},
                [&] { openRGBDFolder(path()); });
  folder_.write(name(1) + ".pose.txt", "1 0 0 0\n0 one 0 0\n0 0 1 0\n0 0 0 1\n");
  expectBadFile({name(1) + ".pose.txt", "line 2", "one"},
                [&] { openRGBDFolder(path()); });
  folder_.write(name(1) + ".pose.txt", "2 0 0 0\n0 2 0 0\n0 0 2 0\n0 0 0 1\n");
  expectBadFile({path(), "frame 1 (" + name(1) + "): depth camera's pose"},
                [&] { openRGBDFolder(path()); });
  folder_.write(name(1) + ".pose.txt", "1 0 0 0\n0 1 0 0\n0 0 1 0.2");
  expectBadFile({name(1) + ".pose.txt", "line 3", "ends within a line"},
                [&] { openRGBDFolder(path()); });
  folder_.write("poses.txt", "8 " + oneLine(matrixText(Pose::Identity())));
  expectBadFile({"poses.txt", "no pose", name(1)}, [&] { openRGBDFolder(path()); });
}

class Tum : public testing::Test {
protected:
  Tum()
  {
    std::string poses = "# t tx ty tz qx qy qz qw\n";
    for (int i = 0; i <= 10; ++i) {
      const float angle = 0.1f * i;
      poses += time(0.1 * i) + " " + std::to_string(i) + " 0 0 0 " +
               std::to_string(std::sin(angle / 2)) + " 0 " +
               std::to_string(std::cos(angle / 2)) + "\n";
    }
    folder_.write("groundtruth.txt", poses);
    for (int i = 0; i < 4; ++i) {
      writeDepth(folder_, "d" + std::to_string(i) + ".png", 5000 + i);
      writeColor(folder_, "c" + std::to_string(i) + ".png", i);
    }
  }

  static std::string
  time(double seconds)
  {
    std::ostringstream text;
    text.precision(17);
    text << 1305031102.0 + seconds;
    return text.str();
  }

  std::string
  path() const
  {
    return folder_ / "";
  }

  TemporaryFolder folder_;
};

TEST_F(Tum, FilesBelongTogetherByTheirTimes)
{
  // Of two depth maps near the second image the closer one belongs to it; the third
  // image has none, the fourth one has no pose.
  folder_.write("rgb.txt",
                "# colour\n" + time(0.30) + " c0.png\n" + time(0.40) + " c1.png\n" +
                    time(0.50) + " c2.png\n" + time(3.0) + " c3.png\n");
  folder_.write("depth.txt",
                time(0.305) + " d0.png\n" + time(0.385) + " d1.png\n" + time(0.401) +
                    " d2.png\n" + time(3.0) + " d3.png\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 2);
  const RGBDFrame first = video->read(0), second = video->read(1);
  EXPECT_EQ(first.color.pixels[0].r, 0);
  EXPECT_FLOAT_EQ(first.depth.pixels[0], 5000 / 5000.0f);
  EXPECT_EQ(second.color.pixels[0].r, 1);
  EXPECT_FLOAT_EQ(second.depth.pixels[0], 5002 / 5000.0f);
  EXPECT_EQ(second.name, "c1.png");
  EXPECT_NEAR(second.time - 1305031102.0, 0.4, 1e-6);
  EXPECT_EQ(first.depth_camera.fx, 525.0f);
}

TEST_F(Tum, FilesWhoseClosestAreTakenBelongToOthers)
{
  folder_.write("rgb.txt", time(0.300) + " c0.png\n" + time(0.310) + " c1.png\n");
  folder_.write("depth.txt", time(0.3095) + " d0.png\n" + time(0.3185) + " d1.png\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 2);
  EXPECT_FLOAT_EQ(video->read(0).depth.pixels[0], 5001 / 5000.0f);
  EXPECT_FLOAT_EQ(video->read(1).depth.pixels[0], 5000 / 5000.0f);
}

TEST_F(Tum, AllTimesMayBeEqual)
{
  // All pairs would take 10 GB.
  constexpr int count = 20000;
  std::string colors, depths;
  for (int i = 0; i < count; ++i) {
    colors += time(0.3) + " c0.png\n";
    depths += time(0.3) + " d0.png\n";
  }
  folder_.write("rgb.txt", colors);
  folder_.write("depth.txt", depths);
  EXPECT_EQ(openRGBDFolder(path())->size(), count);
}

TEST_F(Tum, PosesAreInterpolated)
{
  folder_.write("rgb.txt", time(0.31) + " c0.png\n" + time(0.58) + " c1.png\n");
  folder_.write("depth.txt", time(0.31) + " d0.png\n" + time(0.58) + " d1.png\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 2);
  const double positions[2] = {3.1, 5.8};
  for (int i = 0; i < 2; ++i) {
    const RGBDView view = video->view(i);
    EXPECT_NEAR(view.color_pose.translation().x(), positions[i], 1e-5);
    const Eigen::AngleAxisf turn(view.color_pose.linear());
    EXPECT_NEAR(turn.angle(), 0.1 * positions[i], 1e-5);
    EXPECT_TRUE(view.depth_pose.isApprox(view.color_pose));
  }
}

TEST_F(Tum, FilesMayBeAssociatedAlready)
{
  folder_.write("associations.txt",
                time(0.2) + " c2.png " + time(0.7) + " d3.png\n" + time(0.3) +
                    " c1.png " + time(0.3) + " d0.png\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 2);
  const RGBDFrame frame = video->read(0);
  EXPECT_EQ(frame.color.pixels[0].r, 2);
  EXPECT_FLOAT_EQ(frame.depth.pixels[0], 5003 / 5000.0f);
}

TEST_F(Tum, AssociationsMayNameDepthFirst)
{
  // As ICL-NUIM's, here behind a byte order mark.
  folder_.write("associations.txt",
                "\xef\xbb\xbf" + time(0.7) + " d3.png " + time(0.2) + " c2.png\n" +
                    time(0.3) + " d0.png " + time(0.3) + " c1.png\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 2);
  const RGBDFrame frame = video->read(0);
  EXPECT_EQ(frame.color.pixels[0].r, 2);
  EXPECT_FLOAT_EQ(frame.depth.pixels[0], 5003 / 5000.0f);
}

TEST_F(Tum, DepthIsSeenFromItsOwnCamera)
{
  folder_.write("associations.txt", time(0.2) + " c0.png " + time(0.2) + " d0.png\n");
  RGBDFolderOptions options;
  options.color_to_depth = turned(0.1f, 0.025f);
  const RGBDView view = openRGBDFolder(path(), options)->view(0);
  const Eigen::Vector3f point(0.1f, 0.2f, 1.5f);
  EXPECT_TRUE((view.color_pose * point)
                  .isApprox(view.depth_pose * (options.color_to_depth * point), 1e-5f));
}

TEST_F(Tum, FoldersThatCannotBeUnderstoodAreRejected)
{
  folder_.write("rgb.txt", time(0.3) + " c0.png\n");
  expectBadFile({"depth.txt", "No such file"}, [&] { openRGBDFolder(path()); });
  folder_.write("depth.txt", time(0.9) + " d0.png\n");
  expectBadFile({"no frames"}, [&] { openRGBDFolder(path()); });
  folder_.write("depth.txt", time(0.3) + "\n");
  expectBadFile({"depth.txt", "line 1", "without a file"},
                [&] { openRGBDFolder(path()); });
  folder_.write("depth.txt", time(0.3) + " d0.png\n" + time(0.4) + "\n");
  expectBadFile({"depth.txt", "line 2", "1 words", "2"},
                [&] { openRGBDFolder(path()); });
  folder_.write("depth.txt", time(0.3) + std::string(1, '\0') + " d0.png\n");
  expectBadFile({"depth.txt", "line 1", "a byte of 0"},
                [&] { openRGBDFolder(path()); });
  folder_.write("depth.txt", time(0.3) + " d0.png\n");
  folder_.write("groundtruth.txt", "# t\n1 2 3 4 0 0 0\n");
  expectBadFile({"groundtruth.txt", "line 2", "7 words"},
                [&] { openRGBDFolder(path()); });
  folder_.write("groundtruth.txt", "1 2 3 4 0 0 0 0.5\n");
  expectBadFile({"groundtruth.txt", "line 1", "quaternion"},
                [&] { openRGBDFolder(path()); });
}

TEST(RGBDFolders, OfNoFormatAreRejected)
{
  const TemporaryFolder folder;
  expectBadFile({"no RGB-D video"}, [&] { openRGBDFolder(folder / ""); });
  expectBadFile({"absent", "no such folder"},
                [&] { openRGBDFolder(folder / "absent"); });
}

TEST(RGBDFolders, RejectOptionsThatMakeNoSense)
{
  const TemporaryFolder folder;
  RGBDFolderOptions options;
  options.frame_rate = 0.0f;
  expectBadArgument("frame rate", [&] { openRGBDFolder(folder / "", options); });
  options = {};
  options.depth_unit = -1.0f;
  expectBadArgument("depth unit", [&] { openRGBDFolder(folder / "", options); });
  options = {};
  options.color_to_depth.linear() *= 2.0f;
  expectBadArgument("colour to depth", [&] { openRGBDFolder(folder / "", options); });
  options = {};
  options.color_camera.fx = -1.0f;
  expectBadArgument("focal length fx", [&] { openRGBDFolder(folder / "", options); });
}

} // namespace

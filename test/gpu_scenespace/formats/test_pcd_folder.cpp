// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

const PinholeCamera camera = {20.0f, 21.0f, 2.25f, 1.75f, frame_width, frame_height};

/** \brief The camera's frame: depth of number + 1 and more, colour (number, pixel, 7),
 * and nothing in the second pixel. */
template <typename PointT>
pcl::PointCloud<PointT>
someCloud(int number)
{
  pcl::PointCloud<PointT> cloud(frame_width, frame_height);
  for (int i = 0; i < frame_width * frame_height; ++i) {
    PointT& point = cloud[i];
    point.z = number + 1.0f + 0.1f * static_cast<float>(i * 7 % 11);
    point.x = (i % frame_width - camera.cx) / camera.fx * point.z;
    point.y = (i / frame_width - camera.cy) / camera.fy * point.z;
    point.r = static_cast<std::uint8_t>(number);
    point.g = static_cast<std::uint8_t>(i);
    point.b = 7;
  }
  cloud[1].x = cloud[1].y = cloud[1].z = std::numeric_limits<float>::quiet_NaN();
  cloud.is_dense = false;
  const Pose pose = turned(0.1f * number, number);
  cloud.sensor_origin_.template head<3>() = pose.translation();
  cloud.sensor_orientation_ = Eigen::Quaternionf(pose.linear());
  return cloud;
}

/** \brief Four clouds: of either type, in each kind of file. */
class PcdFolder : public testing::Test {
protected:
  PcdFolder()
  {
    pcl::PCDWriter writer;
    writer.writeBinary(folder_ / "cloud8.pcd", someCloud<pcl::PointXYZRGBA>(0));
    writer.writeBinary(folder_ / "cloud9.pcd", someCloud<pcl::PointXYZRGB>(1));
    writer.writeBinaryCompressed(folder_ / "cloud10.pcd",
                                 someCloud<pcl::PointXYZRGBA>(2));
    writer.writeASCII(folder_ / "cloud11.PCD", someCloud<pcl::PointXYZRGB>(3), 9);
  }

  std::string
  path() const
  {
    return folder_ / "";
  }

  /** \brief Writes the second file anew. */
  template <typename PointT>
  void
  write(const pcl::PointCloud<PointT>& cloud) const
  {
    std::filesystem::remove(folder_ / "cloud9.pcd");
    pcl::PCDWriter().writeBinary(folder_ / "cloud9.pcd", cloud);
  }

  TemporaryFolder folder_;
};

TEST_F(PcdFolder, HasTheImagesOfItsClouds)
{
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  ASSERT_EQ(video->size(), 4);
  EXPECT_EQ(video->view(2).name, "cloud10");
  for (int number : {3, 0, 2, 1}) {
    const RGBDFrame frame = video->read(number);
    EXPECT_EQ(frame.name, "cloud" + std::to_string(8 + number));
    EXPECT_DOUBLE_EQ(frame.time, static_cast<double>(number) / 30.0f);
    ASSERT_EQ(frame.depth.width, frame_width);
    ASSERT_EQ(frame.color.height, frame_height);
    EXPECT_EQ(frame.color_camera.width, frame_width);
    const Pose pose = turned(0.1f * number, number);
    EXPECT_TRUE(frame.depth_pose.isApprox(pose, 1e-5f));
    EXPECT_TRUE(frame.color_pose.isApprox(pose, 1e-5f));
    const auto cloud = someCloud<pcl::PointXYZRGBA>(number);
    for (int i = 0; i < frame_width * frame_height; ++i) {
      if (i == 1)
        EXPECT_TRUE(std::isnan(frame.depth.pixels[i]));
      else
        EXPECT_FLOAT_EQ(frame.depth.pixels[i], cloud[i].z);
      EXPECT_EQ(frame.color.pixels[i].r, number);
      EXPECT_EQ(frame.color.pixels[i].g, i);
      EXPECT_EQ(frame.color.pixels[i].b, 7);
      EXPECT_EQ(frame.color.pixels[i].a, 255);
    }
  }
}

TEST_F(PcdFolder, TellsItsCameraByItsPoints)
{
  // The first cloud leaves it open: all its points are in one row.
  auto cloud = someCloud<pcl::PointXYZRGBA>(0);
  for (std::size_t i = frame_width; i < cloud.size(); ++i)
    cloud[i].z = std::numeric_limits<float>::quiet_NaN();
  std::filesystem::remove(folder_ / "cloud8.pcd");
  pcl::PCDWriter().writeBinary(folder_ / "cloud8.pcd", cloud);
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int number = 0; number < 4; ++number) {
    const PinholeCamera found = video->view(number).depth_camera;
    EXPECT_NEAR(found.fx, camera.fx, 1e-4f);
    EXPECT_NEAR(found.fy, camera.fy, 1e-4f);
    EXPECT_NEAR(found.cx, camera.cx, 1e-5f);
    EXPECT_NEAR(found.cy, camera.cy, 1e-5f);
    EXPECT_EQ(found.height, frame_height);
  }
}

TEST_F(PcdFolder, MayHaveTablesOfPosesAndIntrinsics)
{
  std::string poses;
  for (int i = 0; i < 4; ++i)
    poses += "cloud" + std::to_string(8 + i) + " " + oneLine(matrixText(turned(1, i)));
  folder_.write("poses.txt", poses);
  folder_.write("intrinsics.txt", "10 11 2 1\n");
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(video->view(i).depth_pose.isApprox(turned(1, i), 1e-5f));
    EXPECT_TRUE(video->read(i).color_pose.isApprox(turned(1, i), 1e-5f));
    EXPECT_EQ(video->view(i).color_camera.fy, 11.0f);
  }
  RGBDFolderOptions options;
  options.depth_camera = {9.0f, 9.0f, 2.0f, 1.0f, 0, 0};
  EXPECT_EQ(openRGBDFolder(path(), options)->read(2).color_camera.fx, 9.0f);
  folder_.write("intrinsics.txt", "12 8 10 11 2 1\n");
  expectBadFile({"cloud8.pcd", "6 x 4", "12 x 8"}, [&] { openRGBDFolder(path()); });
}

TEST_F(PcdFolder, OfCloudsThatAreNoImagesIsRejected)
{
  auto cloud = someCloud<pcl::PointXYZRGB>(1);
  cloud.width = cloud.size();
  cloud.height = 1;
  write(cloud);
  expectBadFile({"frame 1 (cloud9)", "cloud9.pcd", "24 x 1", "organized"},
                [&] { openRGBDFolder(path()); });
  pcl::PointCloud<pcl::PointXYZ> colorless(6, 4);
  write(colorless);
  expectBadFile({"frame 1 (cloud9)", "cloud9.pcd", "x y z", "rgb or rgba"},
                [&] { openRGBDFolder(path()); });
  cloud = someCloud<pcl::PointXYZRGB>(1);
  cloud.sensor_orientation_.coeffs().setZero();
  write(cloud);
  expectBadFile({"frame 1 (cloud9)", "cloud9.pcd", "VIEWPOINT", "length 0"},
                [&] { openRGBDFolder(path()); });
  folder_.write("cloud9.pcd", "this is no cloud");
  expectBadFile({"frame 1 (cloud9)", "cloud9.pcd"}, [&] { openRGBDFolder(path()); });
}

TEST_F(PcdFolder, OfPointsThatNoCameraSawIsRejected)
{
  const TemporaryFolder folder;
  auto cloud = someCloud<pcl::PointXYZRGBA>(0);
  for (auto& point : cloud) {
    point.x += 1.0f; // no longer in the camera's frame
    point.z += 5.0f;
  }
  pcl::PCDWriter().writeBinary(folder / "a.pcd", cloud);
  expectBadFile({"a.pcd", "pixels", "frame of the camera"},
                [&] { openRGBDFolder(folder / ""); });
  folder.write("intrinsics.txt", "10 11 2 1\n");
  EXPECT_EQ(openRGBDFolder(folder / "")->size(), 1);

  const TemporaryFolder empty;
  for (auto& point : cloud)
    point.z = std::numeric_limits<float>::quiet_NaN();
  pcl::PCDWriter().writeBinary(empty / "a.pcd", cloud);
  expectBadFile({"a.pcd", "too few points", "intrinsics.txt"},
                [&] { openRGBDFolder(empty / ""); });
}

TEST_F(PcdFolder, NamesFramesThatCannotBeRead)
{
  const RGBDVideo::ConstPtr video = openRGBDFolder(path());
  pcl::PointCloud<pcl::PointXYZRGBA> other(5, 4);
  write(other);
  expectBadFile({"frame 1 (cloud9)", "cloud9.pcd", "5 x 4", "6 x 4"},
                [&] { video->read(1); });
  std::filesystem::resize_file(folder_ / "cloud8.pcd",
                               std::filesystem::file_size(folder_ / "cloud8.pcd") - 50);
  expectBadFile({"frame 0 (cloud8)", "cloud8.pcd"}, [&] { video->read(0); });
  std::filesystem::remove(folder_ / "cloud10.pcd");
  expectBadFile({"frame 2 (cloud10)", "cloud10.pcd"}, [&] { video->read(2); });
  EXPECT_NO_THROW(video->read(3));
  expectBadArgument("frame is 4", [&] { video->read(4); });
  expectBadArgument("frame is -1", [&] { video->view(-1); });
}

} // namespace

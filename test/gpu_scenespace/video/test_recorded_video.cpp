// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/temporary_folder.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Distance of the depth of one frame from that of another one, for points that
 * the second camera sees. */
std::vector<float>
depthErrors(const RGBDFrame& a, const RGBDFrame& b)
{
  std::vector<float> errors;
  const Pose a_to_b = b.depth_pose.inverse() * a.depth_pose;
  const PinholeCamera &from = a.depth_camera, &to = b.depth_camera;
  for (int v = 0; v < a.depth.height; v += 3)
    for (int u = 0; u < a.depth.width; u += 3) {
      const float z = a.depth.pixels[std::size_t(v) * a.depth.width + u];
      if (std::isnan(z))
        continue;
      const Eigen::Vector3f point =
          a_to_b *
          Eigen::Vector3f((u - from.cx) / from.fx * z, (v - from.cy) / from.fy * z, z);
      const int x = std::lround(to.fx * point.x() / point.z() + to.cx);
      const int y = std::lround(to.fy * point.y() / point.z() + to.cy);
      if (x < 0 || x >= b.depth.width || y < 0 || y >= b.depth.height)
        continue;
      const float seen = b.depth.pixels[std::size_t(y) * b.depth.width + x];
      if (!std::isnan(seen))
        errors.push_back(std::abs(seen - point.z()));
    }
  return errors;
}

TEST(RecordedVideo, FramesLieOnEachOther)
{
  const std::string folder = std::string(PCL_GPU_TEST_DATA) + "/rgbd_video/redkitchen";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no " << folder;
  const RGBDVideo::ConstPtr video = openRGBDFolder(folder);
  ASSERT_EQ(video->size(), 60);
  EXPECT_EQ(video->view(0).name, "frame-000664");
  EXPECT_EQ(video->view(59).name, "frame-000723");
  const RGBDFrame first = video->read(0);
  EXPECT_EQ(first.color.width, 640);
  EXPECT_EQ(first.color.height, 480);
  for (int other : {1, 5, 10}) {
    std::vector<float> errors = depthErrors(first, video->read(other));
    ASSERT_GT(errors.size(), 15000u);
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    EXPECT_LT(errors[errors.size() / 2], 0.007f) << "frame " << other;
  }
}

TEST(RecordedVideo, TellsItsColorCamera)
{
  const std::string folder = std::string(PCL_GPU_TEST_DATA) + "/rgbd_video/redkitchen";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no " << folder;
  const RGBDVideo::ConstPtr video = openRGBDFolder(folder);
  ColorCalibrationParameters calibration;
  std::vector<int> numbers;
  for (int i = 0; i < video->size(); i += 3)
    numbers.push_back(i);
  calibration.frames = numbers;
  calibration.frame_gaps = {1, 3, 5, 8};
  calibration.correct_poses = true;
  calibration.correct_exposures = true;
  const ColorCalibration found = calibrateColorCamera(*video, calibration);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.determined);
  EXPECT_LT(found.residual, 3.0f);
  // All 60 frames give 518, 321 and 225 pixels, and -18, 8 and -7 mm. With fewer
  // frames, results are as far from that as their deviations say.
  const Eigen::Vector3f shift = found.color_to_depth.inverse().translation();
  EXPECT_NEAR(found.color_camera.fx, 518.0f, 5.0f);
  EXPECT_NEAR(found.color_camera.cx, 321.0f, 8.0f);
  EXPECT_NEAR(found.color_camera.cy, 225.0f, 10.0f);
  EXPECT_NEAR(shift.x(), -0.018f, 0.008f);
  EXPECT_NEAR(shift.y(), 0.008f, 0.008f);
  EXPECT_NEAR(shift.z(), -0.007f, 0.01f);
}

TEST(RecordedClouds, TellTheirCamera)
{
  const std::string clouds = std::string(PCL_GPU_TEST_DATA) + "/pcd/";
  if (!std::filesystem::exists(clouds))
    GTEST_SKIP() << "no " << clouds;
  for (const char* cloud : {"milk_cartoon_all_small_clorox.pcd", "mosd_test55.pcd"}) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink(clouds + cloud, folder / cloud);
    const RGBDFrame frame = openRGBDFolder(folder / "")->read(0);
    EXPECT_EQ(frame.color.width, 640);
    EXPECT_NEAR(frame.depth_camera.fx, 525.0f, 1.0f) << cloud;
    EXPECT_NEAR(frame.depth_camera.fy, 525.0f, 1.0f) << cloud;
    EXPECT_NEAR(frame.depth_camera.cx, 319.5f, 1.0f) << cloud;
    EXPECT_NEAR(frame.depth_camera.cy, 239.5f, 1.0f) << cloud;
  }
}

} // namespace

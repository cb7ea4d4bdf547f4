// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cloud_writer.h"

#include "../common/files/output_file.h"

#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace pcl::gpu::apps {

namespace {

PointCloud<PointXYZRGB>
cloudOf(const RGBDFrame& frame)
{
  const PinholeCamera& camera = frame.depth_camera;
  PointCloud<PointXYZRGB> cloud(frame.depth.width, frame.depth.height);
  cloud.is_dense = false;
  cloud.sensor_origin_.head<3>() = frame.depth_pose.translation();
  cloud.sensor_orientation_ =
      Eigen::Quaternionf(frame.depth_pose.linear()).normalized();
  for (int v = 0; v < frame.depth.height; ++v)
    for (int u = 0; u < frame.depth.width; ++u) {
      const std::size_t i = std::size_t(v) * frame.depth.width + u;
      const float z = frame.depth.pixels[i];
      PointXYZRGB& point = cloud[i];
      // NaN makes all three NaN.
      point.x = (u - camera.cx) / camera.fx * z;
      point.y = (v - camera.cy) / camera.fy * z;
      point.z = z;
      point.rgba = frame.color.pixels[i].rgba;
    }
  return cloud;
}

void
writeCloud(const RGBDFrame& frame, const std::string& path)
{
  OutputFile file(path);
  if (PCDWriter().writeBinaryCompressed(file.temporary(), cloudOf(frame)) != 0)
    throw std::runtime_error(path + ": cannot be written");
  file.commit();
}

} // namespace

void
writeClouds(const RGBDVideo& video,
            const std::string& folder,
            int threads,
            const std::function<void(int done)>& progress)
{
  prepareFolder(folder);
  std::vector<int> missing;
  for (int i = 0; i < video.size(); ++i)
    if (!std::filesystem::exists(framePath(folder, i, ".pcd")))
      missing.push_back(i);
  int done = video.size() - static_cast<int>(missing.size());
  progress(done);
  std::mutex mutex;
  forEachFrame(video, missing, threads, [&](const RGBDFrame& frame, int number) {
    writeCloud(frame, framePath(folder, number, ".pcd"));
    const std::lock_guard<std::mutex> lock(mutex);
    progress(++done);
  });
}

} // namespace pcl::gpu::apps

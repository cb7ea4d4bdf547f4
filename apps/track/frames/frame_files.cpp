// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_files.h"

#include "../../common/command_line/errors.h"
#include "../../common/files/image_reader.h"
#include "../../common/files/output_file.h"
#include "../../common/files/pcd_reader.h"

#include <pcl/conversions.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

bool
isFrame(const fs::path& path)
{
  const std::string extension = extensionOf(path.string());
  return extension == ".pcd" ||
         (extension == ".png" && path.stem().extension() != ".color");
}

std::vector<std::string>
framesIn(const fs::path& folder)
{
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && isFrame(entry.path()))
      files.push_back(entry.path().string());
  if (files.empty())
    throw fileError(folder.string(), "no frames in this folder", "*.png or *.pcd");
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

FrameFiles::FrameFiles(const TrackOptions& options) : options_(options)
{
  for (const std::string& input : options.inputs) {
    if (fs::is_directory(input)) {
      const std::vector<std::string> found = framesIn(input);
      files_.insert(files_.end(), found.begin(), found.end());
    }
    else if (!fs::exists(input))
      throw fileError(input, "no such file", "a 16-bit PNG, a PCD or a folder of them");
    else if (!isFrame(input))
      throw fileError(input, "unknown kind of file", "a 16-bit PNG or a PCD");
    else
      files_.push_back(input);
  }
  const auto count = static_cast<int>(files_.size());
  if (options.frames.first >= count)
    throw InputError("--frames: there are " + std::to_string(count) +
                     " frames: expected numbers below");
  files_.resize(std::min(count - 1, options.frames.last) + 1);
  files_.erase(files_.begin(), files_.begin() + options.frames.first);
}

int
FrameFiles::size() const
{
  return static_cast<int>(files_.size());
}

TrackFrame
FrameFiles::read(int number)
{
  const std::string& file = files_[number];
  TrackFrame frame;
  frame.name = fs::path(file).filename().string();
  frame.points = extensionOf(file) == ".pcd" ? readCloud(file) : readDepthMap(file);
  return frame;
}

bool
FrameFiles::isUsed(const PointXYZ& point) const
{
  return point.z >= options_.nearest && point.z <= options_.farthest &&
         (options_.box.isEmpty() || options_.box.contains(point.getVector3fMap()));
}

PointCloud<PointXYZ>::Ptr
FrameFiles::readDepthMap(const std::string& file) const
{
  const DepthImage image = readDepthImage(file);
  PinholeCamera camera;
  camera.fx = camera.fy = 525.0f * image.width / 640.0f;
  camera.cx = 0.5f * (image.width - 1);
  camera.cy = 0.5f * (image.height - 1);
  camera = options_.intrinsics.value_or(camera);
  PointCloud<PointXYZ>::Ptr cloud(new PointCloud<PointXYZ>);
  const std::uint16_t* depth = image.pixels.data();
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column, ++depth) {
      const float z = *depth * options_.depth_scale;
      const PointXYZ point(
          (column - camera.cx) / camera.fx * z, (row - camera.cy) / camera.fy * z, z);
      if (*depth > 0 && isUsed(point))
        cloud->push_back(point);
    }
  return cloud;
}

PointCloud<PointXYZ>::Ptr
FrameFiles::readCloud(const std::string& file) const
{
  if (options_.intrinsics)
    throw fileError(file, "--intrinsics is for depth maps", "a 16-bit PNG");
  Eigen::Vector4f origin;
  PointCloud<PointXYZ> all;
  fromPCLPointCloud2(readPcd(file, &origin), all);
  PointCloud<PointXYZ>::Ptr cloud(new PointCloud<PointXYZ>);
  for (const PointXYZ& point : all)
    if (std::isfinite(point.x + point.y) && isUsed(point))
      cloud->push_back(point);
  cloud->sensor_origin_ = origin;
  return cloud;
}

Pose
FrameFiles::camera() const
{
  return Pose::Identity();
}

Skeleton::ConstPtr
FrameFiles::body() const
{
  return nullptr;
}

std::vector<float>
FrameFiles::firstPose() const
{
  return {};
}

} // namespace pcl::gpu::apps

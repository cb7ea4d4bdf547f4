// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame.h"

#include "../common/command_line/errors.h"
#include "../common/files/frame_files.h"
#include "../common/files/output_file.h"
#include "../common/files/pcd_reader.h"
#include "synthetic_scene.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <filesystem>
#include <limits>
#include <set>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

// "x" of "x.depth.png", "x.depth_mm.png" and "x.png".
std::string
frameName(const fs::path& path)
{
  const fs::path stem = path.stem();
  return stem.extension().string().rfind(".depth", 0) == 0 ? stem.stem().string()
                                                           : stem.string();
}

std::string
colorBeside(const fs::path& depth)
{
  for (const char* extension : {".color.jpg", ".color.jpeg", ".color.png"}) {
    const fs::path color = depth.parent_path() / (frameName(depth) + extension);
    if (fs::exists(color))
      return color.string();
  }
  return "";
}

void
checkInFrontOfCamera(const std::string& path, const PointCloud<PointXYZRGB>& cloud)
{
  std::size_t measured = 0, in_front = 0;
  for (const PointXYZRGB& point : cloud) {
    measured += isMeasuredPoint(point);
    in_front += isMeasuredPoint(point) && isMeasuredDepth(point.z);
  }
  if (2 * in_front < measured)
    throw fileError(path,
                    "most points lie behind the camera",
                    "a cloud in the camera's frame (z forward, x right, y down)");
}

// Reads an organized cloud in its camera's frame. Missing points are NaN. Alpha is 255,
// or 0 if the file has no colour.
PointCloud<PointXYZRGB>::Ptr
readOrganizedCloud(const std::string& path)
{
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  PCLPointCloud2 blob = readPcd(path, &origin, &orientation);
  if (blob.height <= 1)
    throw fileError(path,
                    "is not organized (" + std::to_string(blob.width) + " points)",
                    "a cloud of the rows and columns of a depth camera");

  bool has_color = false;
  for (PCLPointField& field : blob.fields) {
    if (field.name == "rgba") {
      // The same four bytes; PointXYZRGB knows them under the other name only.
      field.name = "rgb";
      field.datatype = PCLPointField::FLOAT32;
    }
    has_color = has_color || field.name == "rgb";
  }
  PointCloud<PointXYZRGB>::Ptr cloud(new PointCloud<PointXYZRGB>);
  if (has_color)
    fromPCLPointCloud2(blob, *cloud);
  else {
    PointCloud<PointXYZ> points;
    fromPCLPointCloud2(blob, points);
    copyPointCloud(points, *cloud);
  }
  checkInFrontOfCamera(path, *cloud);
  for (PointXYZRGB& point : *cloud) {
    point.a = has_color ? 255 : 0;
    if (!isMeasuredPoint(point) || !isMeasuredDepth(point.z))
      point.x = point.y = point.z = std::numeric_limits<float>::quiet_NaN();
  }
  cloud->sensor_origin_ = origin;
  cloud->sensor_orientation_ = orientation;
  return cloud;
}

} // namespace

std::vector<FrameSource>
findFrames(const TriangulateOptions& options)
{
  std::vector<FrameSource> frames;
  if (options.synthetic)
    frames.push_back({"synthetic", "", ""});
  for (const std::string& file : findFrameFiles(options.inputs)) {
    const bool has_own_color = options.no_color || extensionOf(file) == ".pcd";
    frames.push_back({frameName(file), file, has_own_color ? "" : colorBeside(file)});
  }
  if (!options.color.empty()) {
    if (frames.size() > 1)
      throw InputError("--color " + options.color + ": one image for " +
                       std::to_string(frames.size()) +
                       " frames: expected NAME.color.jpg beside each NAME.depth.png");
    frames[0].color = options.color;
  }
  std::set<std::string> names;
  for (FrameSource& frame : frames)
    frame.name = uniqueName(frame.name, names);
  return frames;
}

Frame
readFrame(const FrameSource& source, const TriangulateOptions& options)
{
  Frame frame;
  frame.name = source.name;
  frame.depth_scale = options.depth_scale;
  if (source.file.empty()) {
    renderSyntheticScene(frame);
    if (options.no_color)
      frame.color = {};
    return frame;
  }
  if (extensionOf(source.file) == ".pcd") {
    if (options.intrinsics || options.disparity || !source.color.empty())
      throw fileError(source.file,
                      "--intrinsics, --disparity and --color are for depth maps",
                      "a 16-bit PNG");
    frame.cloud = readOrganizedCloud(source.file);
    return frame;
  }

  // Disparity has a marker of its own.
  frame.depth =
      readDepthMap(source.file, options.disparity ? 0 : options.missing_depth);
  const int width = frame.depth.width, height = frame.depth.height;
  // Raw disparity is as the infrared camera sees it.
  frame.camera =
      options.intrinsics.value_or(options.disparity ? usualCamera(width, height, 575.8f)
                                                    : usualCamera(width, height));
  if (source.color.empty())
    return frame;
  frame.color = readColorImage(source.color);
  if (!options.color_intrinsics &&
      (frame.color.width != width || frame.color.height != height))
    throw fileError(source.color,
                    "is " + std::to_string(frame.color.width) + " x " +
                        std::to_string(frame.color.height) + " pixels",
                    "the depth map's " + std::to_string(width) + " x " +
                        std::to_string(height) + ", or --color-intrinsics");
  return frame;
}

} // namespace pcl::gpu::apps

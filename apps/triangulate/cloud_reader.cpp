// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cloud_reader.h"

#include "../common/command_line/errors.h"
#include "../common/files/pcd_reader.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace {

void
checkInFrontOfCamera(const std::string& path, const PointCloud<PointXYZRGB>& cloud)
{
  std::size_t finite = 0, in_front = 0;
  for (const PointXYZRGB& point : cloud) {
    finite += std::isfinite(point.x + point.y + point.z);
    in_front += std::isfinite(point.x + point.y) && point.z > 0.0f;
  }
  if (2 * in_front < finite)
    throw fileError(path,
                    "most points lie behind the camera",
                    "a cloud in the camera's frame (z forward, x right, y down)");
}

} // namespace

PointCloud<PointXYZRGB>::Ptr
readOrganizedCloud(const std::string& path)
{
  PCLPointCloud2 blob = readPcd(path);
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
  for (PointXYZRGB& point : *cloud)
    point.a = has_color ? 255 : 0;
  checkInFrontOfCamera(path, *cloud);
  return cloud;
}

} // namespace pcl::gpu::apps

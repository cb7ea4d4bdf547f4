// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "depth_view.h"

#include "../../common/command_line/errors.h"
#include "../../common/command_line/option_parsing.h"
#include "../../common/files/image_reader.h"
#include "../../common/files/pcd_reader.h"

#include <pcl/conversions.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/point_cloud.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pcl::gpu::apps {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/** \brief Contents of a file of a cloud. */
struct CloudFile {
  PointCloud<PointXYZ> points;
  ColorImage colors; ///< empty without colours
  Pose sensor;
};

CloudFile
readCloud(const std::string& path)
{
  CloudFile file;
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  PCLPointCloud2 blob = readPcd(path, &origin, &orientation);
  if (!(std::abs(orientation.norm() - 1.0f) < 1e-2f) || !origin.allFinite())
    throw fileError(path, "its VIEWPOINT is no pose", "a unit quaternion");
  file.sensor = Pose::Identity();
  file.sensor.linear() = orientation.normalized().toRotationMatrix();
  file.sensor.translation() = origin.head<3>();
  fromPCLPointCloud2(blob, file.points);
  file.points.sensor_origin_ = origin;
  file.points.sensor_orientation_ = orientation;
  for (PCLPointField& field : blob.fields) {
    if (field.name != "rgba" && field.name != "rgb")
      continue;
    // The same four bytes, which RGB has under this name only.
    field.name = "rgba";
    field.datatype = PCLPointField::UINT32;
    PointCloud<RGB> colors;
    fromPCLPointCloud2(blob, colors);
    file.colors.width = static_cast<int>(blob.width);
    file.colors.height = static_cast<int>(blob.height);
    file.colors.pixels.assign(colors.begin(), colors.end());
    break;
  }
  return file;
}

/** \brief Returns a cloud in the frame of its camera as a view. */
DepthView
viewOf(CloudFile& file, const PinholeCamera& camera)
{
  DepthView view;
  view.camera = camera;
  view.camera.width = static_cast<int>(file.points.width);
  view.camera.height = static_cast<int>(file.points.height);
  view.pose = file.sensor;
  view.colors = std::move(file.colors);
  view.depth.resize(view.camera.width, view.camera.height);
  for (std::size_t i = 0; i < file.points.size(); ++i) {
    const PointXYZ& point = file.points[i];
    const bool is_seen = isMeasuredPoint(point) && isMeasuredDepth(point.z);
    view.depth.pixels[i] = is_seen ? point.z : nan;
  }
  return view;
}

Image<float>
depthOf(RangeView&& view)
{
  return {view.camera.width, view.camera.height, std::move(view.depth)};
}

DepthView
organizedView(CloudFile& file, const std::string& path)
{
  std::optional<RangeView> range = organizedRangeView(file.points);
  if (!range)
    throw fileError(path,
                    "its points are not on the rays of a camera",
                    "an organized cloud of a camera (z forward, x right, y down)");
  DepthView view;
  view.camera = range->camera;
  view.pose = file.sensor;
  view.colors = std::move(file.colors);
  view.depth = depthOf(std::move(*range));
  return view;
}

} // namespace

DepthView
readOrganizedView(const std::string& path, const std::optional<PinholeCamera>& camera)
{
  CloudFile file = readCloud(path);
  if (file.points.height <= 1)
    throw fileError(path,
                    "is not organized (" + std::to_string(file.points.width) +
                        " points)",
                    "a cloud of the rows and columns of a depth camera");
  return camera ? viewOf(file, *camera) : organizedView(file, path);
}

DepthView
readCloudView(const std::string& path, const PinholeCamera& camera)
{
  CloudFile file = readCloud(path);
  if (file.points.height > 1)
    return organizedView(file, path);
  DepthView view;
  view.camera = camera;
  Eigen::Vector3f middle = Eigen::Vector3f::Zero();
  int count = 0;
  for (const PointXYZ& point : file.points)
    if (isMeasuredPoint(point)) {
      middle += point.getVector3fMap();
      ++count;
    }
  middle /= static_cast<float>(std::max(count, 1));
  const Eigen::Vector3f eye = file.sensor.translation();
  if (count == 0 || (middle - eye).norm() < 1e-3f)
    throw fileError(path,
                    count == 0 ? "has no points" : "its sensor is in its middle",
                    "a cloud that its VIEWPOINT sees from outside");
  // Rows of the image run along those of the sensor.
  view.pose = lookAt(eye, middle, -file.sensor.linear().col(1));
  view.depth = depthOf(projectedRangeView(file.points, camera, view.pose));
  return view;
}

DepthView
readDepthView(const std::string& path,
              float scale,
              std::optional<std::uint16_t> missing_depth,
              const std::optional<PinholeCamera>& camera)
{
  const DepthImage image = readDepthMap(path, missing_depth);
  DepthView view;
  view.camera = camera.value_or(usualCamera(image.width, image.height));
  if (view.camera.width > 0 &&
      (view.camera.width != image.width || view.camera.height != image.height))
    throw fileError(path,
                    "has " + std::to_string(image.width) + " x " +
                        std::to_string(image.height) + " pixels",
                    "those of --camera");
  view.camera.width = image.width;
  view.camera.height = image.height;
  view.depth.resize(image.width, image.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    view.depth.pixels[i] = image.pixels[i] ? scale * image.pixels[i] : nan;
  return view;
}

} // namespace pcl::gpu::apps

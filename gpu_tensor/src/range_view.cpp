// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/kdtree/kdtree_flann.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pcl {
namespace gpu {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

bool
isInFront(const PointXYZ& point)
{
  return point.getVector3fMap().allFinite() && point.z > 0.0f;
}

/** \brief The line pixel = focal length * slope + principal point through many pixels. */
class PixelLine {
public:
  void
  add(double slope, double pixel)
  {
    const Eigen::Vector2d row(slope, 1.0);
    products_ += row * row.transpose();
    sums_ += pixel * row;
    squares_ += pixel * pixel;
    ++count_;
  }

  /** \brief Focal length and principal point; none if pixels are off it by more than half a
   * pixel or do not determine it. */
  std::optional<Eigen::Vector2f>
  fit() const
  {
    const double variation = products_.determinant() / std::max(count_ * count_, 1.0);
    if (count_ < 3.0 || !(variation > 1e-8))
      return std::nullopt;
    const Eigen::Vector2d line = products_.ldlt().solve(sums_);
    const double residual = (squares_ - line.dot(sums_)) / count_;
    if (!(line.x() > 0.0) || residual > 0.25)
      return std::nullopt;
    return line.cast<float>();
  }

private:
  Eigen::Matrix2d products_ = Eigen::Matrix2d::Zero();
  Eigen::Vector2d sums_ = Eigen::Vector2d::Zero();
  double squares_ = 0.0, count_ = 0.0;
};

/** \brief The camera that sees every point in its pixel, if there is one. */
std::optional<PinholeCamera>
cameraOf(const PointCloud<PointXYZ>& cloud)
{
  if (cloud.height < 2)
    return std::nullopt;
  PixelLine columns, rows;
  for (std::uint32_t y = 0; y < cloud.height; ++y)
    for (std::uint32_t x = 0; x < cloud.width; ++x) {
      const PointXYZ& point = cloud(x, y);
      if (!isInFront(point))
        continue;
      columns.add(point.x / point.z, x);
      rows.add(point.y / point.z, y);
    }
  const auto column = columns.fit(), row = rows.fit();
  if (!column || !row)
    return std::nullopt;
  PinholeCamera camera;
  camera.fx = column->x();
  camera.cx = column->y();
  camera.fy = row->x();
  camera.cy = row->y();
  camera.width = static_cast<int>(cloud.width);
  camera.height = static_cast<int>(cloud.height);
  return camera;
}

/** \brief The median distance of points to their nearest neighbours, of some of them. */
float
spacingOf(const PointCloud<PointXYZ>::Ptr& cloud)
{
  constexpr std::size_t samples = 1000;
  KdTreeFLANN<PointXYZ> tree(false);
  tree.setInputCloud(cloud);
  std::vector<float> distances;
  const std::size_t step = std::max<std::size_t>(1, cloud->size() / samples);
  for (std::size_t i = 0; i < cloud->size(); i += step) {
    Indices neighbors(2);
    std::vector<float> squared(2);
    if (tree.nearestKSearch((*cloud)[i], 2, neighbors, squared) == 2)
      distances.push_back(std::sqrt(squared[1]));
  }
  const auto middle =
      distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

/** \brief Renders points into a camera's depth map. */
std::vector<float>
renderPoints(const PointCloud<PointXYZ>& cloud,
             const PinholeCamera& camera,
             const Pose& pose,
             float thickness)
{
  const Pose to_camera = pose.inverse();
  const auto pixels = static_cast<std::size_t>(camera.width) * camera.height;
  std::vector<float> nearest(pixels, std::numeric_limits<float>::infinity());
  std::vector<double> sums(pixels, 0.0);
  std::vector<int> counts(pixels, 0);
  const auto forEach = [&](const auto& visit) {
    for (const PointXYZ& point : cloud) {
      const Eigen::Vector3f p = to_camera * Eigen::Vector3f(point.getVector3fMap());
      const float u = std::round(p.x() / p.z() * camera.fx + camera.cx);
      const float v = std::round(p.y() / p.z() * camera.fy + camera.cy);
      if (p.z() > 0.0f && u >= 0.0f && v >= 0.0f &&
          u < static_cast<float>(camera.width) && v < static_cast<float>(camera.height))
        visit(static_cast<std::size_t>(v) * camera.width + static_cast<std::size_t>(u),
              p.z());
    }
  };
  forEach([&](std::size_t pixel, float z) {
    nearest[pixel] = std::min(nearest[pixel], z);
  });
  forEach([&](std::size_t pixel, float z) {
    if (z > nearest[pixel] + thickness)
      return;
    sums[pixel] += z;
    ++counts[pixel];
  });
  std::vector<float> depth(pixels, missing);
  for (std::size_t i = 0; i < pixels; ++i)
    if (counts[i] > 0)
      depth[i] = static_cast<float>(sums[i] / counts[i]);
  return depth;
}

RangeView
seenFromOrigin(const PointCloud<PointXYZ>& cloud)
{
  // Two points of a surface are in a pixel as wide as this many times their spacing.
  constexpr float spacings_a_pixel = 1.5f;
  constexpr float largest_image = 1024.0f;
  PointCloud<PointXYZ>::Ptr finite(new PointCloud<PointXYZ>);
  Eigen::Vector3f middle = Eigen::Vector3f::Zero();
  for (const PointXYZ& point : cloud)
    if (point.getVector3fMap().allFinite()) {
      finite->push_back(point);
      middle += point.getVector3fMap();
    }
  checkArgument(
      finite->size() >= 3, "number of finite points", finite->size(), "3 or more");
  middle /= static_cast<float>(finite->size());
  const Eigen::Vector3f origin = cloud.sensor_origin_.head<3>();
  const float distance = (middle - origin).norm();
  checkArgument(distance > 0.0f,
                "sensor_origin_ of a cloud that no camera organized",
                origin.transpose(),
                "a place from which all points are seen, outside of them");
  RangeView view;
  view.pose = lookAt(origin, middle, -Eigen::Vector3f::UnitY());
  // Everything has to lie in front of the camera, within a wide angle.
  float extent_x = 0.0f, extent_y = 0.0f;
  const Pose to_camera = view.pose.inverse();
  for (const PointXYZ& point : *finite) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(point.getVector3fMap());
    const float reach = std::max(std::abs(p.x()), std::abs(p.y()));
    checkArgument(p.z() > 0.0f && reach < 4.0f * p.z(),
                  "sensor_origin_ of a cloud that no camera organized",
                  origin.transpose(),
                  "a place from which all points are seen, outside of them");
    extent_x = std::max(extent_x, std::abs(p.x() / p.z()));
    extent_y = std::max(extent_y, std::abs(p.y() / p.z()));
  }
  const float spacing = spacingOf(finite);
  const float widest = 0.5f * largest_image / std::max({extent_x, extent_y, 1e-6f});
  const float focal_length =
      spacing > 0.0f ? std::min(distance / (spacings_a_pixel * spacing), widest)
                     : widest;
  view.camera.fx = view.camera.fy = focal_length;
  view.camera.cx = std::ceil(extent_x * focal_length) + 1.0f;
  view.camera.cy = std::ceil(extent_y * focal_length) + 1.0f;
  view.camera.width = 2 * static_cast<int>(view.camera.cx) + 1;
  view.camera.height = 2 * static_cast<int>(view.camera.cy) + 1;
  const float thickness = 4.0f * distance / focal_length;
  view.depth = renderPoints(*finite, view.camera, view.pose, thickness);
  return view;
}

} // namespace

RangeView
toRangeView(const PointCloud<PointXYZ>& cloud)
{
  const std::optional<PinholeCamera> camera = cameraOf(cloud);
  if (!camera)
    return seenFromOrigin(cloud);
  RangeView view;
  view.camera = *camera;
  view.depth.reserve(cloud.size());
  for (const PointXYZ& point : cloud)
    view.depth.push_back(isInFront(point) ? point.z : missing);
  // Sensors of this many pixels have more of them than their noise is worth.
  constexpr int fine = 480;
  view.sampling_step = camera->width >= fine ? 2 : 1;
  return view;
}

} // namespace gpu
} // namespace pcl

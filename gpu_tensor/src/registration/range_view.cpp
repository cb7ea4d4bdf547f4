// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/scanned_view.h"

#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pcl::gpu {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

bool
isInFront(const PointXYZ& point)
{
  return isMeasuredPoint(point) && isMeasuredDepth(point.z);
}

/** \brief The line pixel = focal length * slope + principal point through many
 * pixels. */
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

  /** \return mean squared distance of pixels from the line; infinity if they determine
   * none */
  double
  fit(float& focal_length, float& principal_point) const
  {
    const double variation = products_.determinant() / std::max(count_ * count_, 1.0);
    if (count_ < 3.0 || !(variation > 1e-8))
      return std::numeric_limits<double>::infinity();
    const Eigen::Vector2d line = products_.ldlt().solve(sums_);
    if (!(line.x() > 0.0))
      return std::numeric_limits<double>::infinity();
    focal_length = static_cast<float>(line.x());
    principal_point = static_cast<float>(line.y());
    return std::max((squares_ - line.dot(sums_)) / count_, 0.0);
  }

private:
  Eigen::Matrix2d products_ = Eigen::Matrix2d::Zero();
  Eigen::Vector2d sums_ = Eigen::Vector2d::Zero();
  double squares_ = 0.0, count_ = 0.0;
};

struct CameraFit {
  PinholeCamera camera;
  /** \brief Root of the mean squared distance of points from their pixels, pixels. */
  double deviation = std::numeric_limits<double>::infinity();
};

/** \brief Finds the camera that sees every point in its pixel. */
CameraFit
fitCamera(const PointCloud<PointXYZ>& cloud)
{
  CameraFit result;
  if (cloud.height < 2)
    return result;
  PixelLine columns, rows;
  std::size_t in_front = 0, behind = 0;
  for (std::uint32_t y = 0; y < cloud.height; ++y)
    for (std::uint32_t x = 0; x < cloud.width; ++x) {
      const PointXYZ& point = cloud(x, y);
      if (isInFront(point)) {
        columns.add(static_cast<double>(point.x) / point.z, x);
        rows.add(static_cast<double>(point.y) / point.z, y);
        ++in_front;
      }
      else
        behind += isMeasuredPoint(point);
    }
  if (in_front < behind)
    return result;
  PinholeCamera& camera = result.camera;
  result.deviation =
      std::sqrt(columns.fit(camera.fx, camera.cx) + rows.fit(camera.fy, camera.cy));
  camera.width = static_cast<int>(cloud.width);
  camera.height = static_cast<int>(cloud.height);
  return result;
}

/** \brief A point as a camera sees it. */
struct SeenPoint {
  int pixel; ///< -1 outside the picture
  float depth;
};

/** \brief Projects all points of a cloud. */
std::vector<SeenPoint>
projectPoints(const PointCloud<PointXYZ>& cloud,
              const PinholeCamera& camera,
              const Pose& pose)
{
  const Pose to_camera = pose.inverse();
  std::vector<SeenPoint> seen(cloud.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(cloud[i].getVector3fMap());
    seen[i] = {-1, p.z()};
    if (!isMeasuredPoint(cloud[i]) || !p.allFinite() || !isMeasuredDepth(p.z()))
      continue;
    const float u = std::round(camera.fx * p.x() / p.z() + camera.cx);
    const float v = std::round(camera.fy * p.y() / p.z() + camera.cy);
    if (u >= 0.0f && v >= 0.0f && u < static_cast<float>(camera.width) &&
        v < static_cast<float>(camera.height))
      seen[i].pixel = static_cast<int>(v) * camera.width + static_cast<int>(u);
  }
  return seen;
}

/** \brief Returns the largest depth of the surface that has the nearest depth of a
 * pixel: within a pixel a surface that is seen at 76 degrees is four times as deep as
 * the pixel is wide. */
float
farthestOfSurface(float nearest, const PinholeCamera& camera)
{
  return nearest + 4.0f * nearest / std::min(camera.fx, camera.fy);
}

/** \brief Returns the mean of the pixels around one; NaN unless most of them are on a
 * surface. */
float
meanAround(const std::vector<float>& depth, const PinholeCamera& camera, int u, int v)
{
  float nearest = std::numeric_limits<float>::infinity();
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x)
      nearest = std::fmin(nearest, depth[y * camera.width + x]);
  float sum = 0.0f;
  int count = 0;
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x) {
      const float z = depth[y * camera.width + x];
      if (z <= farthestOfSurface(nearest, camera)) {
        sum += z;
        ++count;
      }
    }
  return count >= 4 ? sum / static_cast<float>(count) : missing;
}

/** \brief Returns the mean depth of the nearest surface in each pixel; NaN in those
 * without a point. */
std::vector<float>
meanDepths(const std::vector<SeenPoint>& points, const PinholeCamera& camera)
{
  const auto pixels = static_cast<std::size_t>(camera.width) * camera.height;
  std::vector<float> nearest(pixels, std::numeric_limits<float>::infinity());
  for (const auto& [pixel, z] : points)
    if (pixel >= 0)
      nearest[pixel] = std::min(nearest[pixel], z);
  std::vector<double> sums(pixels, 0.0);
  std::vector<int> counts(pixels, 0);
  for (const auto& [pixel, z] : points)
    if (pixel >= 0 && z <= farthestOfSurface(nearest[pixel], camera)) {
      sums[pixel] += z;
      ++counts[pixel];
    }
  std::vector<float> depth(pixels, missing);
  for (std::size_t i = 0; i < pixels; ++i)
    if (counts[i] > 0)
      depth[i] = static_cast<float>(sums[i] / counts[i]);
  return depth;
}

/** \brief Returns a view, in which pixels without a point have the mean of those
 * around them. */
RangeView
filledView(const std::vector<float>& depth,
           const PinholeCamera& camera,
           const Pose& pose)
{
  RangeView view{depth, camera, pose};
  for (int v = 1; v + 1 < camera.height; ++v)
    for (int u = 1; u + 1 < camera.width; ++u)
      if (std::isnan(depth[v * camera.width + u]))
        view.depth[v * camera.width + u] = meanAround(depth, camera, u, v);
  return view;
}

} // namespace

std::optional<RangeView>
organizedRangeView(const PointCloud<PointXYZ>& cloud)
{
  constexpr double largest_deviation = 0.6; // rays of others miss their pixels
  RangeView view;
  CameraFit fit = fitCamera(cloud);
  PointCloud<PointXYZ> moved;
  const Eigen::Quaternionf& orientation = cloud.sensor_orientation_;
  Pose sensor = Pose::Identity();
  sensor.linear() = orientation.normalized().toRotationMatrix();
  sensor.translation() = cloud.sensor_origin_.head<3>();
  if (std::abs(orientation.norm() - 1.0f) < 1e-2f && sensor.matrix().allFinite() &&
      !sensor.isApprox(Pose::Identity(), 0.0f)) {
    moved = cloud;
    const Pose to_sensor = sensor.inverse();
    for (PointXYZ& point : moved)
      if (isMeasuredPoint(point))
        point.getVector3fMap() = to_sensor * Eigen::Vector3f(point.getVector3fMap());
      else
        point.x = point.y = point.z = missing;
    const CameraFit when_moved = fitCamera(moved);
    if (when_moved.deviation < fit.deviation) {
      fit = when_moved;
      view.pose = sensor;
    }
    else
      moved.clear();
  }
  if (!(fit.deviation <= largest_deviation))
    return std::nullopt;
  view.camera = fit.camera;
  view.depth.reserve(cloud.size());
  for (const PointXYZ& point : moved.empty() ? cloud : moved)
    view.depth.push_back(isInFront(point) ? point.z : missing);
  return view;
}

RangeView
projectedRangeView(const PointCloud<PointXYZ>& cloud,
                   const PinholeCamera& camera,
                   const Pose& pose)
{
  camera.validate();
  validatePose(pose, "pose of the camera");
  checkArgument(camera.width > 0 && camera.height > 0,
                "number of pixels",
                camera.width * camera.height,
                "1 or more");
  return filledView(
      meanDepths(projectPoints(cloud, camera, pose), camera), camera, pose);
}

std::optional<RangeView>
seenFromOrigin(const PointCloud<PointXYZ>& cloud, float spacing)
{
  // Two points of a surface are in a pixel as wide as this many times their spacing.
  constexpr float spacings_a_pixel = 1.5f;
  constexpr float largest_image = 1024.0f;
  const Eigen::Vector3f middle = centroidOf(cloud);
  const Eigen::Vector3f origin = cloud.sensor_origin_.head<3>();
  const float distance = (middle - origin).norm();
  if (!(distance > 0.0f))
    return std::nullopt;
  const Pose pose = lookAt(origin, middle, -Eigen::Vector3f::UnitY());
  // Everything has to lie in front of the camera, within a wide angle.
  float extent_x = 0.0f, extent_y = 0.0f;
  bool is_in_front = true;
  const Pose to_camera = pose.inverse();
#pragma omp parallel for schedule(static) reduction(max : extent_x, extent_y)          \
    reduction(&& : is_in_front)
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(cloud[i].getVector3fMap());
    const float reach = std::max(std::abs(p.x()), std::abs(p.y()));
    is_in_front = is_in_front && p.z() > 0.0f && reach < 4.0f * p.z();
    extent_x = std::max(extent_x, std::abs(p.x() / p.z()));
    extent_y = std::max(extent_y, std::abs(p.y() / p.z()));
  }
  if (!is_in_front)
    return std::nullopt;
  const float widest = 0.5f * largest_image / std::max({extent_x, extent_y, 1e-6f});
  const float focal_length =
      spacing > 0.0f ? std::min(distance / (spacings_a_pixel * spacing), widest)
                     : widest;
  PinholeCamera camera;
  camera.fx = camera.fy = focal_length;
  camera.cx = std::ceil(extent_x * focal_length) + 1.0f;
  camera.cy = std::ceil(extent_y * focal_length) + 1.0f;
  camera.width = 2 * static_cast<int>(camera.cx) + 1;
  camera.height = 2 * static_cast<int>(camera.cy) + 1;
  const std::vector<SeenPoint> points = projectPoints(cloud, camera, pose);
  const std::vector<float> depth = meanDepths(points, camera);
  // A camera sees no point behind another surface.
  constexpr float most_hidden = 0.03f;
  std::size_t hidden = 0;
  for (const auto& [pixel, z] : points)
    hidden += pixel >= 0 && z > farthestOfSurface(depth[pixel], camera) ? 1 : 0;
  if (static_cast<float>(hidden) > most_hidden * static_cast<float>(cloud.size()))
    return std::nullopt;
  return filledView(depth, camera, pose);
}

std::optional<RangeView>
toRangeView(const PointCloud<PointXYZ>& cloud)
{
  if (std::optional<RangeView> view = organizedRangeView(cloud))
    return view;
  const PointCloud<PointXYZ>::ConstPtr measured = measuredPoints(cloud);
  return seenFromOrigin(*measured, pointSpacing(measured));
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/range_view.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

bool
isInFront(const PointXYZ& point)
{
  return std::isfinite(point.x + point.y + point.z) && point.z > 0.0f;
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

  /** \return mean squared distance of pixels from the line; infinity if they determine none */
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

/** \brief The camera that sees every point in its pixel, if it does. */
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
      // Some files have zeros where nothing was measured.
      else if (std::isfinite(point.x + point.y + point.z) &&
               !point.getVector3fMap().isZero(0.0f))
        ++behind;
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
      point.getVector3fMap() = to_sensor * Eigen::Vector3f(point.getVector3fMap());
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
  // Sensors of this many pixels have more of them than their noise is worth.
  constexpr int fine = 480;
  view.sampling_step = fit.camera.width >= fine ? 2 : 1;
  return view;
}

} // namespace pcl::gpu

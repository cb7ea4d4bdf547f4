// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/depth_picture.h"

#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <cmath>
#include <limits>
#include <memory>

namespace pcl::gpu {

namespace {

/** \brief Sums of a linear fit of pixels to tangents. */
struct PixelFit {
  double count = 0.0, x = 0.0, xx = 0.0, u = 0.0, xu = 0.0;

  void
  add(double tangent, double pixel)
  {
    count += 1.0;
    x += tangent;
    xx += tangent * tangent;
    u += pixel;
    xu += tangent * pixel;
  }

  /** \brief Returns the focal length; 0 if the points have no extent. */
  double
  focalLength() const
  {
    const double spread = count * xx - x * x;
    return spread > 1e-9 * count * count ? (count * xu - x * u) / spread : 0.0;
  }

  double
  center() const
  {
    return (u - focalLength() * x) / count;
  }
};

/** \brief Returns the camera whose rays a cloud's points lie on; of width 0 if there
 * are too few points. */
PinholeCamera
cameraOf(const PointCloud<PointXYZ>& cloud)
{
  PixelFit columns, rows;
  for (std::uint32_t row = 0; row < cloud.height; ++row)
    for (std::uint32_t column = 0; column < cloud.width; ++column) {
      const PointXYZ& point = cloud(column, row);
      if (!std::isfinite(point.z))
        continue;
      columns.add(point.x / point.z, column);
      rows.add(point.y / point.z, row);
    }
  PinholeCamera camera;
  if (!(columns.focalLength() > 0.0 && rows.focalLength() > 0.0))
    return camera;
  camera.fx = static_cast<float>(columns.focalLength());
  camera.fy = static_cast<float>(rows.focalLength());
  camera.cx = static_cast<float>(columns.center());
  camera.cy = static_cast<float>(rows.center());
  camera.width = static_cast<int>(cloud.width);
  camera.height = static_cast<int>(cloud.height);
  return camera;
}

} // namespace

DepthPicture::DepthPicture(const PointCloud<PointXYZ>& all,
                           std::uint32_t most_columns,
                           float farthest)
: step((all.width + most_columns - 1) / most_columns)
{
  constexpr float not_measured = std::numeric_limits<float>::quiet_NaN();
  cloud = std::make_shared<PointCloud<PointXYZ>>(all.width / step, all.height / step);
  cloud->is_dense = false;
  for (std::uint32_t row = 0; row < cloud->height; ++row)
    for (std::uint32_t column = 0; column < cloud->width; ++column) {
      const PointXYZ& point = all(column * step, row * step);
      const bool is_used =
          isMeasuredPoint(point) && point.z > 0.0f && point.z <= farthest;
      (*cloud)(column, row) =
          is_used ? point : PointXYZ(not_measured, not_measured, not_measured);
    }
  camera = cameraOf(*cloud);
  if (camera.width > 0)
    pixel_angle = 1.0f / std::sqrt(camera.fx * camera.fy);
}

} // namespace pcl::gpu

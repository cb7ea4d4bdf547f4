// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "camera_fit.h"

#include <algorithm>
#include <cmath>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

/** \brief Sums of a straight line's fit: pixel = focal x slope + center. */
class Line {
public:
  void
  add(double slope, double pixel)
  {
    count_ += 1.0;
    slopes_ += slope;
    pixels_ += pixel;
    slopes_squared_ += slope * slope;
    pixels_squared_ += pixel * pixel;
    products_ += slope * pixel;
  }

  /** \return mean squared error; infinite if there is no line */
  double
  solve(float& focal, float& center) const
  {
    const double variance = slopes_squared_ - slopes_ * slopes_ / count_;
    const double covariance = products_ - slopes_ * pixels_ / count_;
    if (!(count_ >= 3.0 && variance > 1e-12 * count_ && covariance > 0.0))
      return std::numeric_limits<double>::infinity();
    const double gradient = covariance / variance;
    focal = static_cast<float>(gradient);
    center = static_cast<float>((pixels_ - gradient * slopes_) / count_);
    const double error =
        pixels_squared_ - pixels_ * pixels_ / count_ - gradient * covariance;
    return std::max(error, 0.0) / count_;
  }

private:
  double count_ = 0.0, slopes_ = 0.0, pixels_ = 0.0;
  double slopes_squared_ = 0.0, pixels_squared_ = 0.0, products_ = 0.0;
};

} // namespace

CameraFit
fitCamera(const PointCloud<PointXYZ>& cloud)
{
  Line columns, rows;
  std::size_t finite = 0, in_front = 0;
  for (std::uint32_t v = 0; v < cloud.height; ++v)
    for (std::uint32_t u = 0; u < cloud.width; ++u) {
      const PointXYZ& point = cloud(u, v);
      if (!std::isfinite(point.x + point.y + point.z))
        continue;
      // Some files have zeros where nothing was measured.
      if (point.x == 0.0f && point.y == 0.0f && point.z == 0.0f)
        continue;
      ++finite;
      if (!(point.z > 0.0f))
        continue;
      ++in_front;
      columns.add(static_cast<double>(point.x) / point.z, u);
      rows.add(static_cast<double>(point.y) / point.z, v);
    }
  CameraFit fit;
  if (in_front < 9 || 2 * in_front < finite)
    return fit;
  const double error = columns.solve(fit.camera.fx, fit.camera.cx) +
                       rows.solve(fit.camera.fy, fit.camera.cy);
  fit.deviation = static_cast<float>(std::sqrt(error));
  fit.camera.width = static_cast<int>(cloud.width);
  fit.camera.height = static_cast<int>(cloud.height);
  return fit;
}

} // namespace apps
} // namespace gpu
} // namespace pcl

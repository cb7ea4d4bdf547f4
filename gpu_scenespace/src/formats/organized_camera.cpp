// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/organized_camera.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief A line through pixels' coordinates over points' directions: focal length times
 * direction plus principal point. */
class LineFit {
public:
  void
  add(double direction, double pixel)
  {
    ++count_;
    // Of what the means are off by, so that large sums do not swallow small ones.
    const double from_direction = direction - mean_direction_;
    const double from_pixel = pixel - mean_pixel_;
    mean_direction_ += from_direction / count_;
    mean_pixel_ += from_pixel / count_;
    directions_ += from_direction * (direction - mean_direction_);
    pixels_ += from_pixel * (pixel - mean_pixel_);
    both_ += from_direction * (pixel - mean_pixel_);
  }

  /** \brief Whether there is one line. */
  bool
  isKnown() const
  {
    return directions_ > 0.0 && pixels_ > 0.0;
  }

  double
  focalLength() const
  {
    return both_ / directions_;
  }

  double
  principalPoint() const
  {
    return mean_pixel_ - focalLength() * mean_direction_;
  }

  /** \brief Mean of the squared distances from the line. */
  double
  squaredError() const
  {
    return (pixels_ - focalLength() * both_) / count_;
  }

private:
  double count_ = 0.0, mean_direction_ = 0.0, mean_pixel_ = 0.0;
  double directions_ = 0.0, pixels_ = 0.0, both_ = 0.0; // moments about the means
};

} // namespace

std::optional<FittedCamera>
fitCamera(const PointCloud<PointXYZRGBA>& cloud)
{
  LineFit columns, rows;
  for (std::uint32_t v = 0; v < cloud.height; ++v)
    for (std::uint32_t u = 0; u < cloud.width; ++u) {
      const PointXYZRGBA& point = cloud(u, v);
      if (!point.getVector3fMap().allFinite() || point.z <= 0.0f)
        continue;
      columns.add(static_cast<double>(point.x) / point.z, u);
      rows.add(static_cast<double>(point.y) / point.z, v);
    }
  if (!columns.isKnown() || !rows.isKnown())
    return std::nullopt;
  FittedCamera fitted;
  fitted.camera.fx = static_cast<float>(columns.focalLength());
  fitted.camera.fy = static_cast<float>(rows.focalLength());
  fitted.camera.cx = static_cast<float>(columns.principalPoint());
  fitted.camera.cy = static_cast<float>(rows.principalPoint());
  // Rounding can bring the errors of a perfect fit below zero.
  fitted.error = static_cast<float>(
      std::sqrt(std::max(0.0, columns.squaredError() + rows.squaredError())));
  return fitted;
}

} // namespace pcl::gpu

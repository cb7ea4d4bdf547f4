// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>

#include <Eigen/Core>

#include <cstddef>

namespace pcl::gpu {

/** \brief Brightness of a colour image, levels of 0 to 255. */
Image<float>
brightnessOf(const ColorImage& color);

/** \brief Brightness that is blurred, between pixels as well. */
class BlurredBrightness {
public:
  BlurredBrightness() = default;

  /** \brief Blurs with a Gaussian.
   * \param[in] brightness the image
   * \param[in] sigma its deviation, pixels
   */
  BlurredBrightness(const Image<float>& brightness, double sigma);

  /** \brief Whether value() and slope() are there. */
  bool
  contains(const Eigen::Vector2d& place) const
  {
    return place.x() >= 1.0 && place.y() >= 1.0 && place.x() < levels_.width - 3 &&
           place.y() < levels_.height - 3;
  }

  /** \brief Bilinear. */
  double
  value(const Eigen::Vector2d& place) const
  {
    const int u = static_cast<int>(place.x()), v = static_cast<int>(place.y());
    const double a = place.x() - u, b = place.y() - v;
    const float* const pixel = row(v) + u;
    const float* const below = pixel + levels_.width;
    return (1.0 - b) * ((1.0 - a) * pixel[0] + a * pixel[1]) +
           b * ((1.0 - a) * below[0] + a * below[1]);
  }

  /** \brief Central differences, levels per pixel. */
  Eigen::Vector2d
  slope(const Eigen::Vector2d& place) const
  {
    const Eigen::Vector2d along = Eigen::Vector2d::UnitX(),
                          across = Eigen::Vector2d::UnitY();
    return {0.5 * (value(place + along) - value(place - along)),
            0.5 * (value(place + across) - value(place - across))};
  }

private:
  const float*
  row(int v) const
  {
    return levels_.pixels.data() + std::size_t(v) * levels_.width;
  }

  Image<float> levels_;
};

} // namespace pcl::gpu

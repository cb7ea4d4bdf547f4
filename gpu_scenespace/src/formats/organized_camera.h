// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <optional>

namespace pcl::gpu {

/** \brief A camera, and how well it fits the points that it was found by. */
struct FittedCamera {
  PinholeCamera camera;
  float error; ///< distance of a point's image from its pixel, root mean square, pixels
};

/** \brief The camera that saw an organized cloud, by least squares over its points.
 * \param[in] cloud in the frame of its camera
 * \return none if no points, or points of one column or row, leave it open
 */
std::optional<FittedCamera>
fitCamera(const PointCloud<PointXYZRGBA>& cloud);

} // namespace pcl::gpu

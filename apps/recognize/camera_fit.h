// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <limits>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief A camera that sees the points of an organized cloud at their pixels. */
struct CameraFit {
  PinholeCamera camera; ///< with the cloud's size
  /** \brief Root of the mean squared distance from their pixels, pixels; infinite if the
   * points are no camera's. */
  float deviation = std::numeric_limits<float>::infinity();
};

/** \brief Finds the camera by least squares. O(points).
 * \param[in] cloud organized, in the camera's frame
 */
CameraFit
fitCamera(const PointCloud<PointXYZ>& cloud);

} // namespace apps
} // namespace gpu
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Core>

#include <vector>

class vtkCamera;

namespace pcl::gpu::apps {

/** \brief Camera of a picture. */
struct ViewPoint {
  Eigen::Vector3f position = Eigen::Vector3f::Zero();
  Eigen::Vector3f focal_point = Eigen::Vector3f::UnitZ();
  Eigen::Vector3f up = -Eigen::Vector3f::UnitY();
  float view_angle = 45.0f; ///< from top to bottom, degrees

  /** \brief Sets a VTK camera accordingly.
   * \param[out] camera the camera to set
   */
  void
  applyTo(vtkCamera& camera) const;
};

/** \brief Returns a view of a sensor's points from a little beside and above the
 * sensor, so that depth shows.
 *
 * The picture holds nearly all points; a few outliers do not shrink it.
 * \param[in] points in the sensor's frame (z forward, x right, y down), all finite
 * \param[in] aspect width of the picture over its height
 */
ViewPoint
besideSensor(const std::vector<Eigen::Vector3f>& points, float aspect);

} // namespace pcl::gpu::apps

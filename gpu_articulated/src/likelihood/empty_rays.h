// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_types.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief Rays past a body, on which nothing was seen. */
struct EmptyRays {
  /** \brief A point on every ray, as far away as the part of the body beside it. */
  std::vector<PointXYZ> points;
  float points_per_ray =
      1.0f; ///< how many points of the body are seen in as much space
};

/** \brief Finds rays on which nothing was seen, on a grid of what the viewpoint sees.
 *
 * Small holes between points are not empty.
 * \param[in] points of a body; those that are not finite do not matter
 * \param[in] viewpoint where it was seen from
 * \param[in] around whether there is nothing around the box of the points either
 */
EmptyRays
emptyRays(const std::vector<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint,
          bool around);

} // namespace pcl::gpu

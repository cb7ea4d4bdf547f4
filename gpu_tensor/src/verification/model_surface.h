// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief A model's surface, and its points that are visible from each direction. */
struct VisibleSurface {
  Eigen::Vector3f center = Eigen::Vector3f::Zero(); ///< middle of the bounding box
  float radius = 0.0f;  ///< of the sphere about the centre that holds all points
  float spacing = 0.0f; ///< median distance of points to their nearest neighbours
  std::vector<Eigen::Vector3f> points;  ///< relative to the centre
  std::vector<Eigen::Vector3f> normals; ///< unit vectors
  /** \brief Vectors from every point to a place beside the surface, past an edge near
   * the point, along its tangent plane; zero if no edge is near. Empty unless
   * findOutline() ran. */
  std::vector<Eigen::Vector3f> beside;
  /** \brief For every direction the points that are visible from there, ascending. */
  std::vector<std::vector<std::uint32_t>> visible;
};

/** \brief Finds the points that are visible from directions.
 *
 * A point stands for a disc as wide as three times the points' spacing. Of each
 * direction, from far away, a point is visible if it faces that way and no disc that
 * does is in front of it by more than the spacing. O(directions x points x (pixels of a
 * disc) + points^2).
 * \param[in] points a model's; those without a normal are left out
 * \param[in] directions unit vectors from the model to the viewer
 * \return the surface
 */
VisibleSurface
findVisiblePoints(const TensorModel::Points& points,
                  const std::vector<Eigen::Vector3f>& directions);

/** \brief Finds the edges at which a surface turns away. O(points^2).
 * \param[in,out] surface gets VisibleSurface::beside
 */
void
findOutline(VisibleSurface& surface);

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief A place just outside the contour that a surface has from some direction. */
struct OutsidePlace {
  Eigen::Vector3f place;  ///< as far from the viewer as the contour
  Eigen::Vector3f inside; ///< point of the surface a little inside the contour
  Eigen::Vector3f normal; ///< of the surface there
};

/** \brief A model's surface, and its points that are visible from each direction. */
struct VisibleSurface {
  Eigen::Vector3f center = Eigen::Vector3f::Zero(); ///< that symmetries leave in place
  float radius = 0.0f;  ///< of the sphere about the centre that holds all points
  float spacing = 0.0f; ///< median distance of points to their nearest neighbours
  std::vector<Eigen::Vector3f> points;  ///< relative to the centre
  std::vector<Eigen::Vector3f> normals; ///< unit vectors
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
 * \param[in] symmetries of the model: the centre is the mean of all places that they
 * bring the middle of the bounding box to
 * \return the surface
 */
VisibleSurface
findVisiblePoints(const TensorModel::Points& points,
                  const std::vector<Eigen::Vector3f>& directions,
                  const TensorModel::Poses& symmetries = {});

/** \brief Finds places just outside the contours that a surface has from directions.
 *
 * The contour is that of discs of 1.3 spacings about the points that face the viewer or
 * are at right angles to him. Places are 2.5 spacings outside. They are only where the
 * surface turns away: a scan that just ends may go on where nobody looked. O(points^2 +
 * directions x (points + cells of an image)).
 * \param[in] surface made by findVisiblePoints()
 * \param[in] directions unit vectors from the model to the viewer, who is far away
 * \param[in] most of the places of a direction that are returned
 * \return for every direction places, in an order that spreads the first few, for any
 * number, along the contour
 */
std::vector<std::vector<OutsidePlace>>
findContours(const VisibleSurface& surface,
             const std::vector<Eigen::Vector3f>& directions,
             std::size_t most);

} // namespace pcl::gpu

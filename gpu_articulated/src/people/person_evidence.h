// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <vector>

namespace pcl::gpu {

/** \brief Distance from the skin up to which a point is explained by a body, metres. */
constexpr float explained_distance = 0.1f;

/** \brief What a depth image says for and against a body in it. Shares are of areas. */
struct PersonEvidence {
  float area = 0.0f; ///< of the points that it explains, square metres
  /** \brief Area of the pixels that show something behind it, square metres. */
  float contradicted = 0.0f;
  /** \brief Shares of the head's, the trunk's and the limbs' pixels that show them, of
   * those that show them or something behind them. */
  float head = 0.0f, trunk = 0.0f, limbs = 0.0f;
  /** \brief Share of the head's or trunk's pixels that show them, of all: the larger.
   */
  float covered = 0.0f;
  float aligned = 0.0f; ///< mean cosine of the surface's normals and the skin's
  /** \brief Share of the pixels around the body where the surface goes on. */
  float goes_on = 0.0f;
  /** \brief Deviation of the explained points from a plane, metres. */
  float relief = 0.0f;
  bool is_inside = false;     ///< the spine is between the sides of the picture
  std::vector<int> explained; ///< numbers of the points that it explains

  /** \brief Returns 0 to 1: the weakest of all evidence decides. */
  float
  confidence() const;

  /** \brief Returns whether a person who was there before is still seen. */
  bool
  isStillSeen() const;
};

/** \brief Compares a body with a depth image.
 * \param[in] skeleton of the body, with names of joints as in makeHumanSkeleton()
 * \param[in] pose of the body
 * \param[in] cloud organized; NaN where nothing was measured
 * \param[in] camera of the cloud
 * \param[in] is_room whether each point is of the room, or of someone else
 */
PersonEvidence
gatherPersonEvidence(const Skeleton::ConstPtr& skeleton,
                     const std::vector<float>& pose,
                     const PointCloud<PointXYZ>& cloud,
                     const PinholeCamera& camera,
                     const std::vector<bool>& is_room);

} // namespace pcl::gpu

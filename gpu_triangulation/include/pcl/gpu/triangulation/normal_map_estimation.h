// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>

namespace pcl::gpu {

/** \brief Normals and curvatures of an organized cloud by principal component analysis.
 *
 * The normal is the direction of least variance of the points in a square window around
 * the pixel (Orts-Escolano et al. 2014, section 2.1.2, algorithm 3), turned to the
 * viewpoint (eq. 4); the curvature is the least eigenvalue over the sum of all three, as
 * PCL defines it. Sums and eigenvalues are taken in double precision about a nearby
 * point, so that the result is the exact one rounded to float, also across depth jumps
 * and far from the origin. Only where the two lesser eigenvalues are nearer to each other
 * than 1e-7 of the largest, on windows that are all but a line, it may err by more than
 * 0.05 degrees.
 *
 * There is no normal (NaN) where the point is missing, where the window holds fewer than
 * 3 points, and where its points lie on one line to within the coordinates' rounding: the
 * second eigenvalue is not above (2^-22 |p|)^2.
 *
 * O(pixels x window radius); with setMaxDepthChangeFactor() O(pixels x window). Steady
 * state neither allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS NormalMapEstimation {
public:
  /** \brief The largest window radius. */
  static constexpr int max_window_radius = 16;

  /** \brief Sets the window: 2 radius + 1 pixels wide and high.
   * \param[in] radius pixels, 1 to max_window_radius; 3 by default (7 x 7)
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setWindowRadius(int radius);

  /** \return the window radius, pixels */
  int
  getWindowRadius() const;

  /** \brief Leaves out neighbours across a depth jump.
   *
   * Neighbour q of p is left out if |z_q - z_p| > factor |z_p|, as in
   * pcl::IntegralImageNormalEstimation.
   * \param[in] factor no unit; infinity, the default, leaves out none
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setMaxDepthChangeFactor(float factor);

  /** \return the depth change factor; infinity if neighbours are never left out */
  float
  getMaxDepthChangeFactor() const;

  /** \brief Sets the point that normals are turned to.
   * \param[in] viewpoint in the cloud's frame, metres; the origin by default
   * \throws pcl::BadArgumentException unless finite
   */
  void
  setViewPoint(const Eigen::Vector3f& viewpoint);

  /** \return the point that normals are turned to */
  const Eigen::Vector3f&
  getViewPoint() const;

  /** \brief Estimates the normals of one cloud.
   * \param[in] cloud an organized cloud
   * \param[out] normals of the same size; must not share \a cloud's memory
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if both share memory
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          NormalMap& normals,
          const Stream& stream = {}) const;

private:
  int window_radius_ = 3;
  float max_depth_change_factor_ = std::numeric_limits<float>::infinity();
  Eigen::Vector3f viewpoint_ = Eigen::Vector3f::Zero();
};

} // namespace pcl::gpu

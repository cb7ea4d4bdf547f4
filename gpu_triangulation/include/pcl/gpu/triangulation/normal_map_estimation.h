// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>

namespace pcl::gpu {

/** \brief Parameters of a NormalMapEstimation.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS NormalMapEstimationParameters {
  /** \brief The largest window radius, pixels. */
  static constexpr int max_window_radius = 16;

  int window_radius = 3; ///< pixels; the window is 2 radius + 1 wide and high
  /** \brief Factor, no unit. Leaves out neighbour q of p if |z_q - z_p| > factor |z_p|,
   * as in pcl::IntegralImageNormalEstimation; infinity leaves out none. */
  float max_depth_change_factor = std::numeric_limits<float>::infinity();
  /** \brief Point that normals are turned to, in the cloud's frame, metres. */
  Eigen::Vector3f viewpoint = Eigen::Vector3f::Zero();

  /** \brief Rejects a radius that is not 1 to max_window_radius, a factor that is not
   * positive, a viewpoint that is not finite.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Normals and curvatures of an organized cloud by principal component analysis.
 *
 * The normal is the direction of least variance of the points in a square window around
 * the pixel (Orts-Escolano et al. 2014, section 2.1.2, algorithm 3), turned to the
 * viewpoint (eq. 4); the curvature is the least eigenvalue over the sum of all three,
 * as PCL defines it. Sums and eigenvalues are taken in double precision about a nearby
 * point, so that the result is the exact one rounded to float, also across depth jumps
 * and far from the origin. Only where the two lesser eigenvalues are nearer to each
 * other than 1e-7 of the largest, on windows that are all but a line, it may err by
 * more than 0.05 degrees.
 *
 * There is no normal (NaN) where the point is missing, where the window holds fewer
 * than 3 points, and where its points lie on one line to within the coordinates'
 * rounding: the second eigenvalue is not above (2^-22 |p|)^2.
 *
 * O(pixels x window radius); with max_depth_change_factor O(pixels x window). Steady
 * state neither allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS NormalMapEstimation
: public Parameterized<NormalMapEstimationParameters> {
public:
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
};

} // namespace pcl::gpu

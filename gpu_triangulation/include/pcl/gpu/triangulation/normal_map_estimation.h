// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>

namespace pcl::gpu {

/** \brief How a NormalMapEstimation finds normals.
 * \ingroup gpu_triangulation
 */
enum class NormalEstimationMethod {
  ADAPTIVE_WINDOWS, ///< windows that stop at edges and grow with the noise
  COVARIANCE_MATRIX ///< principal component analysis of a fixed window, as in PCL
};

/** \brief Parameters of a NormalMapEstimation.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS NormalMapEstimationParameters {
  /** \brief The largest window radius, pixels. */
  static constexpr int max_window_radius = 16;

  /** \brief How normals are found. */
  NormalEstimationMethod method = NormalEstimationMethod::ADAPTIVE_WINDOWS;
  /** \brief Pixels, for COVARIANCE_MATRIX; the window is 2 radius + 1 wide and high. */
  int window_radius = 3;
  /** \brief Factor, no unit, for COVARIANCE_MATRIX. Leaves out neighbour q of p if
   * |z_q - z_p| > factor |z_p|, as in pcl::IntegralImageNormalEstimation; infinity
   * leaves out none. */
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

/** \brief Normals and curvatures of an organized cloud, turned to the viewpoint.
 *
 * **ADAPTIVE_WINDOWS** (the default) fits planes to square windows of 2, 4, 8, 16 and
 * 32 pixels' width and averages, for each point, the planes of the four windows of each
 * width that hold it. A plane's weight is the squared inverse of its expected squared
 * error. This error is the sum of the slope's error by the noise and of that suggested
 * by residuals beyond the noise, in the window and at the point itself. So windows
 * across a crease or a jump count little, however large they are. On flat surfaces the
 * largest windows count most: they average the noise.
 *
 * Planes are fitted to 1/z over x/z and y/z, which is linear, and in which stereo and
 * structured light err alike at all depths. The noise is measured in each cloud: it is
 * the first quartile of the residuals' variances in windows of 3, 8 and 16 pixels.
 * Clouds must be in their camera's frame, z forward. Points with z <= 0 or more than
 * 89.9 degrees off the axis get no normal. The curvature is the mean over the same
 * windows of the variance across the plane over the sum of variances of x, y and z.
 * This method is ours: the paper has fixed windows only, whose normals at edges are
 * means of two surfaces. It is related to the adaptive windows of Katkovnik, Egiazarian
 * and Astola (2006, Local Approximation Techniques in Signal and Image Processing).
 * Work with the same aim: Feng et al. 2023 (D2NT). O(pixels).
 *
 * **COVARIANCE_MATRIX**: the normal is the direction of least variance of the points in
 * a square window around the pixel (Orts-Escolano et al. 2014, section 2.1.2, algorithm
 * 3); the curvature is the least eigenvalue over the sum of all three, as PCL defines
 * it. Sums and eigenvalues are taken in double precision about a nearby point, so that
 * the result is the exact one rounded to float, also across depth jumps and far from
 * the origin. Only where the two lesser eigenvalues are nearer to each other than 1e-7
 * of the largest, on windows that are all but a line, it may err by more than 0.05
 * degrees. O(pixels x window radius); with max_depth_change_factor O(pixels x window).
 *
 * There is no normal (NaN) if the point is missing, if all windows hold fewer than 3
 * points, and if these lie on one line; for COVARIANCE_MATRIX, to within the
 * coordinates' rounding: the second eigenvalue is not above (2^-22 |p|)^2.
 *
 * Steady state neither allocates nor waits. One object serves one stream at a time.
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
  compute(const OrganizedCloud& cloud, NormalMap& normals, const Stream& stream = {});

private:
  Workspace workspace_;
};

} // namespace pcl::gpu

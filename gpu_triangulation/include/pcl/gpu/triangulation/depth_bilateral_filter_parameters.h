// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

// Kernels read these parameters: nothing else of PCL's is included here.

namespace pcl::gpu {

/** \brief Parameters of a DepthBilateralFilter.
 *
 * The growth of sigma_r is not in the paper; the noise of structured light grows so. A
 * Kinect's depth step is about 0.0028 z^2.
 *
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS DepthBilateralFilterParameters {
  /** \brief The largest window radius, pixels. */
  static constexpr int max_window_radius = 16;

  float sigma_s = 4.5f; ///< standard deviation of the domain kernel f, pixels
  float sigma_r =
      0.03f; ///< standard deviation of the range kernel g at depth 0, metres
  float sigma_r_growth = 0.0f; ///< 1/metre: at depth z it is sigma_r + growth z^2
  int window_radius = 6;       ///< pixels; the window is 2 radius + 1 wide and high

  /** \brief Rejects numbers that the filter cannot work with.
   * \throws pcl::BadArgumentException naming the parameter and its value: a deviation
   * that is not finite and positive, a growth that is not finite or below zero, a
   * radius that is not 1 to max_window_radius
   */
  void
  validate() const;
};

} // namespace pcl::gpu

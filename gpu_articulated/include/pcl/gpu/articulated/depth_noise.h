// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Errors of a depth sensor. Only pixels with a depth have errors.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS DepthNoise {
  float deviation = 0.01f; ///< of the distance along a pixel's ray, metres
  /** \brief Added to the deviation, times the squared depth, 1/metre: the errors of
   * stereo cameras grow with the distance. */
  float deviation_growth = 0.0f;
  float outlier_fraction = 0.1f; ///< pixels that get any depth, 0 to 1
  float nearest_outlier = 0.5f;  ///< least depth of those, metres
  float farthest_outlier = 5.0f; ///< greatest depth of those, metres
  float missing_fraction = 0.0f; ///< pixels without measurement, 0 to 1
  float quantization = 0.0f; ///< depths are multiples of this, metres; 0: they are not
  std::uint64_t seed = 0;    ///< of the random numbers

  /** \brief Rejects numbers below 0 or not finite, fractions that are more than 1
   * together, and a nearest outlier that is farther than the farthest.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

} // namespace pcl::gpu

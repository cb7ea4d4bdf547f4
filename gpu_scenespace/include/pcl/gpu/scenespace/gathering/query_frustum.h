// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <limits>

namespace pcl::gpu {

/** \brief The query volume V(p) of an output pixel: the part of the scene that the
 * pixel and its surroundings see between two depths.
 *
 * A sample with projection (u, v) and depth z in the output camera belongs to pixel (x,
 * y) if x - l/2 < u <= x + l/2, y - l/2 < v <= y + l/2 and near <= z <= far, z > 0:
 * section 3 of Klose et al. 2015. Half-open, so that no sample is lost or counted twice
 * where l is 1; both ends lie a millionth of a pixel further, so that points which
 * belong on them, as those of the output camera's own pixels where l is even, are all
 * treated alike in spite of rounding.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS QueryFrustum {
  /** \brief The largest width. */
  static constexpr int max_width = 15;

  int width = 3;           ///< l, pixels of the output, 1 to max_width
  float near_depth = 0.0f; ///< metres along the output camera's z axis, 0 or more
  /** \brief Metres along the output camera's z axis, not below near_depth. */
  float far_depth = std::numeric_limits<float>::infinity();

  /** \brief Rejects volumes without contents.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

} // namespace pcl::gpu

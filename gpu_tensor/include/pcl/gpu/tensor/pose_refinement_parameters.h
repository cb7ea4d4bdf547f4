// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters by which models are moved to the surface of a scene. Distances are
 * in resolutions of the library (TensorParameters).
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS PoseRefinementParameters {
  /** \brief Rounds of refinement, 0 to max_rounds. */
  int rounds = 10;
  int points = 300; ///< of a model that each round takes at most, 1 or more
  /** \brief Largest distance from the scene's surface of a point that is drawn to it in
   * the first round; positive. */
  float first_distance = 6.0f;
  /** \brief The same in the last round, not more than in the first. In between the
   * distance falls in equal ratios. */
  float last_distance = 2.0f;

  static constexpr int max_rounds = 64; ///< most rounds of refinement

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

} // namespace pcl::gpu

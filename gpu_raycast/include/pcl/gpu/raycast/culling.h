// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Sides of a triangle that rays pass through.
 * \ingroup gpu_raycast
 */
enum class Culling {
  None,  ///< both sides are hit
  Back,  ///< only the side from which the vertices run counterclockwise is hit
  Front, ///< only the other side is hit
};

} // namespace pcl::gpu

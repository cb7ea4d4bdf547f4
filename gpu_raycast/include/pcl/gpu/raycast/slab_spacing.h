// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Spacing of the tile grid's slabs between nearest and farthest triangle.
 * \ingroup gpu_raycast
 */
enum class SlabSpacing {
  ProjectedDepth, ///< equal steps of 1/z, as the paper's projected z has them
  Depth,          ///< equal steps of z
  Logarithm       ///< equal steps of log z
};

} // namespace pcl::gpu

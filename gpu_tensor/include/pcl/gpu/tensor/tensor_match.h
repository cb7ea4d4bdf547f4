// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief A tensor of a table that resembles another one.
 * \ingroup gpu_tensor_types
 */
struct TensorMatch {
  int tensor;        ///< number in the table; -1 if there is none
  float correlation; ///< coefficient over the voxels that neither has empty, eq. (6)
  float overlap;     ///< voxels that neither has empty, over those that one has not
};

} // namespace pcl::gpu

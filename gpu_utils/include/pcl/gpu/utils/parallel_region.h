// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Returns whether the caller is in a parallel region of OpenMP, which
 * exceptions must not leave. Also works for callers that are compiled without OpenMP.
 * \return false outside of all parallel regions
 * \ingroup gpu_utils
 */
bool
isInParallelRegion();

} // namespace pcl::gpu

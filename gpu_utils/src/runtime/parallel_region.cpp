// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/parallel_region.h>

#include <omp.h>

namespace pcl::gpu {

bool
isInParallelRegion()
{
  // Not omp_in_parallel(), which is false in a region of a single thread.
  return omp_get_level() > 0;
}

} // namespace pcl::gpu

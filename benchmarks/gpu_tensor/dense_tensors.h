// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "straightforward_tensors.h"

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>

#include <vector>

namespace benchmarks {

// Copies in host memory, as the straightforward implementation has them.

HostFrame
hostFrame(const pcl::gpu::DepthMapTriangulation& chain,
          const pcl::gpu::PinholeCamera& camera);

std::vector<pcl::gpu::PointPair>
downloadPairs(const pcl::gpu::PointPairs& pairs);

std::vector<DenseTensor>
denseTensors(const pcl::gpu::TensorSet& tensors);

/** \return the largest difference of two areas of a voxel, in faces of it; infinity
 * unless there are as many tensors */
float
largestDifference(const std::vector<DenseTensor>& a, const std::vector<DenseTensor>& b);

} // namespace benchmarks

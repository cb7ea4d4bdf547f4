// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "dense_tensors.h"

#include <pcl/gpu/tensor/tensor_model.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchmarks {

using namespace pcl::gpu;

HostFrame
hostFrame(const DepthMapTriangulation& chain, const PinholeCamera& camera)
{
  HostFrame frame;
  int columns = 0;
  std::vector<ResolutionStatistics> statistics;
  chain.cloud().download(frame.points, columns);
  chain.normals().download(frame.normals, columns);
  chain.mesh().validity.download(frame.validity, columns);
  chain.statistics().download(statistics);
  frame.rows = camera.height;
  frame.columns = camera.width;
  frame.resolution = statistics.at(0).nearest_distance;
  frame.camera = camera;
  return frame;
}

std::vector<PointPair>
downloadPairs(const PointPairs& pairs)
{
  int count = 0;
  pairs.count.download(&count);
  std::vector<PointPair> all;
  pairs.pairs.download(all);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

std::vector<DenseTensor>
denseTensors(const TensorSet& tensors)
{
  const HostTensorSet set = downloadTensors(tensors);
  std::vector<DenseTensor> dense(
      set.frames.size(), DenseTensor(set.grid_size * set.grid_size * set.grid_size));
  for (std::size_t tensor = 0; tensor < set.frames.size(); ++tensor)
    for (std::uint32_t i = set.starts[tensor]; i < set.starts[tensor + 1]; ++i)
      dense[tensor][set.voxels[i]] = set.areas[i];
  return dense;
}

float
largestDifference(const std::vector<DenseTensor>& a, const std::vector<DenseTensor>& b)
{
  if (a.size() != b.size())
    return std::numeric_limits<float>::infinity();
  float difference = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t voxel = 0; voxel < a[i].size(); ++voxel)
      difference = std::max(difference, std::fabs(a[i][voxel] - b[i][voxel]));
  return difference;
}

} // namespace benchmarks

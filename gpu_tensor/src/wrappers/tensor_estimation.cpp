// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/counted_elements.h"

#include <pcl/gpu/tensor/impl/tensor_estimation.hpp>
#include <pcl/impl/instantiate.hpp>

#include <cstddef>

namespace pcl::gpu::detail {

void
PairsOfPoints::compute(PointPairEstimation& estimation,
                       const OrganizedCloud& cloud,
                       const NormalMap& normals,
                       const DeviceArray<ResolutionStatistics>& statistics,
                       const Indices* points)
{
  const std::size_t size = static_cast<std::size_t>(cloud.rows()) * cloud.cols();
  numbers_.assign(size, -1);
  pairs_.clear();
  if (points && points->empty())
    return;
  const auto pairsOf = [&](const std::vector<int>& keypoints) {
    keypoints_.upload(keypoints.data(), keypoints.size());
    estimation.compute(cloud, normals, statistics, keypoints_, on_device_);
    return downloadCounted(on_device_.pairs, on_device_.count);
  };
  std::vector<char> asked(size, !points);
  if (points) {
    for (const index_t point : *points)
      asked[point] = true;
    pairs_ = pairsOf(std::vector<int>(points->begin(), points->end()));
  }
  else {
    estimation.compute(cloud, normals, statistics, on_device_);
    pairs_ = downloadCounted(on_device_.pairs, on_device_.count);
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    numbers_[pairs_[i].first] = static_cast<int>(i);

  // A pair that both of its points chose is listed once, for the first point. Another
  // run for the second points alone gives the partners that they chose.
  std::vector<int> second;
  for (const PointPair& pair : pairs_)
    if (asked[pair.second] && numbers_[pair.second] < 0)
      second.push_back(pair.second);
  if (second.empty())
    return;
  for (const PointPair& pair : pairsOf(second))
    numbers_[pair.first] = numbers_[pair.second];
}

const PointPairs&
PairsOfPoints::upload(int begin, int end)
{
  const int count = end - begin;
  on_device_.pairs.upload(pairs_.data() + begin, static_cast<std::size_t>(count));
  on_device_.count.upload(&count, 1);
  return on_device_;
}

} // namespace pcl::gpu::detail

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE_PRODUCT(
    GpuTensorEstimation,
    ((pcl::PointXYZ)(pcl::PointXYZRGB)(pcl::PointXYZRGBA)(pcl::PointXYZI)(
        pcl::PointNormal))(
        (pcl::Normal)(pcl::PointNormal)(pcl::PointXYZINormal)(pcl::PointXYZRGBNormal)))
#endif

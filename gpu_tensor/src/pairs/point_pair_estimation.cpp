// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/run_scratch.h"
#include "pairs/pair_task.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

void
PointPairEstimationParameters::validate() const
{
  checkPositive("least distance of a pair", min_distance);
  checkPositive("largest distance of a pair", max_distance);
  checkArgument(max_distance >= min_distance,
                "largest distance of a pair",
                max_distance,
                "one that is not below the least distance");
  checkArgument(min_angle >= 0.001f && min_angle < device::pi,
                "least angle of a pair",
                min_angle,
                "radians from 0.001 up to less than pi");
  checkBetween("window radius", window_radius, 1, max_window_radius, "1 to 64");
  checkBetween("pairs per point", pairs_per_point, 1, max_pairs_per_point, "1 to 3");
  checkNotNegative("resolution", resolution);
  checkEnumerator("selection of pairs", selection, PairSelection::Random);
  checkArgument(selection == PairSelection::All || selected_count >= 1,
                "number of pairs",
                selected_count,
                "1 or more");
}

void
PointPairEstimation::run(const OrganizedCloud& cloud,
                         const NormalMap& normals,
                         const DeviceArray<ResolutionStatistics>& statistics,
                         const DeviceArray<int>* keypoints,
                         PointPairs& pairs,
                         const Stream& stream)
{
  const Device device = deviceOf(cloud);
  const ScopedDevice scope(device);
  checkDevice("normals", normals, "cloud", device);
  checkDevice("statistics", statistics, "cloud", device);
  if (keypoints)
    checkDevice("keypoints", *keypoints, "cloud", device);
  checkSameSize("normals", normals, "cloud", cloud);
  checkArgument(parameters_.resolution > 0.0f || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, as no resolution is set");
  const std::size_t pixels = static_cast<std::size_t>(cloud.rows()) * cloud.cols();
  checkArgument(
      pixels < (std::size_t(1) << 29), "number of points", pixels, "less than 2^29");

  device::PairTask task{};
  static_cast<PointPairEstimationParameters&>(task) = parameters_;
  task.cloud = inputView<device::Float4>(cloud);
  task.normals = inputView<device::Float4>(normals);
  task.statistics = statistics.ptr();
  task.keypoints = keypoints ? keypoints->ptr() : nullptr;
  task.keypoint_count = keypoints ? static_cast<int>(keypoints->size()) : 0;
  task.max_cosine = std::cos(parameters_.min_angle);

  const std::size_t choosing = keypoints ? std::min(keypoints->size(), pixels) : pixels;
  std::size_t room = choosing * parameters_.pairs_per_point;
  if (!task.keepsAll())
    room = std::min(room, static_cast<std::size_t>(task.selected_count));
  createOn(device, pairs.pairs, room);
  createOn(device, pairs.count, 1);
  if (room == 0) {
    fillAsync(device, pairs.count.ptr(), 0, sizeof(int), stream);
    return;
  }
  task.pairs = pairs.pairs.ptr();
  task.count = pairs.count.ptr();
  // A run keeps an order of all cells for the next one, which fits the same size only.
  const std::pair<int, int> size(cloud.rows(), cloud.cols());
  const bool forget = size != kept_size_.value;
  const device::ScratchBytes bytes =
      functionFor(device, PCL_GPU_BOTH(pairScratchBytes))(task);
  task.scratch = takeScratch(device, bytes, forget, kept_memory_, workspace_, stream);
  kept_size_.value = size;
  dispatch(device, PCL_GPU_BOTH(findPairs), task, stream);
}

} // namespace pcl::gpu

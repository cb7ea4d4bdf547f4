// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/run_scratch.h"
#include "pairs/pair_task.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

void
PointPairEstimation::setDistances(float least, float most)
{
  checkPositive("least distance of a pair", least);
  checkPositive("largest distance of a pair", most);
  checkArgument(most >= least,
                "largest distance of a pair",
                most,
                "one that is not below the least distance");
  min_distance_ = least;
  max_distance_ = most;
}

void
PointPairEstimation::setMinAngle(float angle)
{
  checkArgument(angle >= 0.001f && angle < 3.14159265f,
                "least angle of a pair",
                angle,
                "radians from 0.001 up to less than pi");
  min_angle_ = angle;
}

void
PointPairEstimation::setWindowRadius(int radius)
{
  checkArgument(
      radius >= 1 && radius <= max_window_radius, "window radius", radius, "1 to 64");
  window_radius_ = radius;
}

void
PointPairEstimation::setPairsPerPoint(int pairs)
{
  checkArgument(
      pairs >= 1 && pairs <= max_pairs_per_point, "pairs per point", pairs, "1 to 3");
  pairs_per_point_ = pairs;
}

void
PointPairEstimation::setResolution(float resolution)
{
  checkNotNegative("resolution", resolution);
  resolution_ = resolution;
}

float
PointPairEstimation::getResolution() const
{
  return resolution_;
}

void
PointPairEstimation::selectAll()
{
  selection_ = Selection::All;
}

void
PointPairEstimation::selectEvenly(int count)
{
  checkArgument(count >= 1, "number of pairs", count, "1 or more");
  selection_ = Selection::Even;
  selected_count_ = count;
}

void
PointPairEstimation::selectRandomly(int count, std::uint64_t seed)
{
  checkArgument(count >= 1, "number of pairs", count, "1 or more");
  selection_ = Selection::Random;
  selected_count_ = count;
  seed_ = seed;
}

void
PointPairEstimation::compute(const OrganizedCloud& cloud,
                             const NormalMap& normals,
                             const DeviceArray<ResolutionStatistics>& statistics,
                             PointPairs& pairs,
                             const Stream& stream)
{
  run(cloud, normals, statistics, nullptr, pairs, stream);
}

void
PointPairEstimation::compute(const OrganizedCloud& cloud,
                             const NormalMap& normals,
                             const DeviceArray<ResolutionStatistics>& statistics,
                             const DeviceArray<int>& keypoints,
                             PointPairs& pairs,
                             const Stream& stream)
{
  run(cloud, normals, statistics, &keypoints, pairs, stream);
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
  checkArgument(resolution_ > 0.0f || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, as no resolution is set");
  const std::size_t pixels = static_cast<std::size_t>(cloud.rows()) * cloud.cols();
  checkArgument(
      pixels < (std::size_t(1) << 29), "number of points", pixels, "less than 2^29");

  device::PairTask task{};
  task.cloud = inputView<device::Float4>(cloud);
  task.normals = inputView<device::Float4>(normals);
  task.statistics = statistics.ptr();
  task.keypoints = keypoints ? keypoints->ptr() : nullptr;
  task.keypoint_count = keypoints ? static_cast<int>(keypoints->size()) : 0;
  task.min_distance = {min_distance_, resolution_};
  task.max_distance = {max_distance_, resolution_};
  task.max_cosine = std::cos(min_angle_);
  task.window_radius = window_radius_;
  task.pairs_per_point = pairs_per_point_;
  if (selection_ != Selection::All)
    task.selection = {selected_count_, selection_ == Selection::Random, seed_};

  const std::size_t choosing = keypoints ? std::min(keypoints->size(), pixels) : pixels;
  std::size_t room = choosing * pairs_per_point_;
  if (task.selection.count > 0)
    room = std::min(room, static_cast<std::size_t>(task.selection.count));
  createOn(device, pairs.pairs, room);
  createOn(device, pairs.count, 1);
  if (room == 0) {
    fillAsync(device, pairs.count.ptr(), 0, sizeof(int), stream);
    return;
  }
  task.pairs = pairs.pairs.ptr();
  task.count = pairs.count.ptr();
  // What a run keeps for the next one is of every part of the cloud.
  const bool forget =
      cloud.rows() != kept_size_.rows || cloud.cols() != kept_size_.columns;
  const device::ScratchBytes bytes =
      functionFor(device,
                  &device::host::pairScratchBytes,
                  PCL_GPU_CUDA_ONLY(device::cuda::pairScratchBytes))(task);
  task.scratch = takeScratch(device, bytes, forget, kept_memory_, workspace_, stream);
  kept_size_.rows = cloud.rows();
  kept_size_.columns = cloud.cols();
  dispatch(device,
           &device::host::findPairs,
           PCL_GPU_CUDA_ONLY(device::cuda::findPairs),
           task,
           stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/alignment_search.hpp"

#include <algorithm>

namespace pcl::device::host {

void
fillGrid(const GridTask& task)
{
  std::fill_n(task.keys, task.grid.cells(), no_point);
  const auto offer = [&](std::size_t cell, std::uint64_t key) {
    task.keys[cell] = std::min(task.keys[cell], key);
  };
  // A thread has layers of its own.
  constexpr int layers = 16;
  const int slabs = (task.grid.size[2] + layers - 1) / layers;
#pragma omp parallel for schedule(dynamic, 1)
  for (int slab = 0; slab < slabs; ++slab) {
    const int first = slab * layers;
    const int last = std::min(first + layers, task.grid.size[2]) - 1;
    for (int i = 0; i < task.count; ++i) {
      const int layer = layerOf(task, i);
      const int lowest = std::max(first - layer, -task.reach);
      const int highest = std::min(last - layer, task.reach);
      for (int dz = lowest; dz <= highest; ++dz)
        offerPoint(task, i, dz, first, last, offer);
    }
  }
  std::transform(task.keys, task.keys + task.grid.cells(), task.nearest, pointOfKey);
}

void
rankPoses(const PoseTask<RankedPose>& task)
{
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < task.count; ++i)
    task.poses[i] = rankedHypothesis(SingleThread(), task, i);
}

void
capturePoses(const PoseTask<RankedPose>& task)
{
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < task.count; ++i)
    task.poses[i] = capturedPose(SingleThread(), task, task.poses[i]);
}

void
judgePoses(const PoseTask<JudgedPose>& task)
{
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < task.count; ++i)
    task.poses[i] = judgedPose(SingleThread(), task, task.poses[i].pose);
}

} // namespace pcl::device::host

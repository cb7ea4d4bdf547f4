// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/likelihood_task.h"
#include "likelihood/observation.hpp"

namespace pcl::device {

namespace {

RayBundle
bundleOf(const ObservedPoint* points,
         int count,
         float weight,
         float truncation_distance)
{
  Vector3 sum = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < count; ++i)
    sum = sum + directionOf(points[i]);
  const DirectionFrame frame = frameAround(sum);
  DirectionRange range = emptyRange();
  for (int i = 0; i < count; ++i)
    include(range, frame, points[i]);
  const Vector3 axis = middleOf(range, frame);
  BundleExtent extent = emptyExtent();
  for (int i = 0; i < count; ++i)
    include(extent, extentOf(points[i], axis, truncation_distance));
  return makeBundle(extent, axis, weight, truncation_distance);
}

ObservedPoint
observedPoint(const ObservationTask& task, std::size_t number)
{
  const float weight = task.weights ? task.weights[number] : 1.0f;
  return observe(task.points[number], weight, task.viewpoint);
}

} // namespace

void
host::makeKeys(const ObservationTask& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < task.count; ++i) {
    task.keys[i] = sortKey(observedPoint(task, i), task.whole_rays);
    task.numbers[i] = static_cast<std::uint32_t>(i);
  }
}

void
host::observe(const ObservationTask& task)
{
#pragma omp parallel for schedule(dynamic)
  for (int chunk = 0; chunk < task.chunk_count; ++chunk) {
    const std::size_t first = static_cast<std::size_t>(chunk) * chunk_points;
    ObservedPoint* const points = task.observed + first;
    for (std::size_t i = 0; i < chunk_points; ++i)
      points[i] = first + i < task.count
                      ? observedPoint(task, task.sorted_numbers[first + i])
                      : skippedPoint();
    double chunk_weight = 0.0;
    for (int i = 0; i < chunk_blocks; ++i) {
      const ObservedPoint* const block = points + i * block_points;
      float weight = 0.0f;
      for (int point = 0; point < block_points; ++point)
        weight += block[point].weight;
      task.blocks[chunk * static_cast<std::size_t>(chunk_blocks) + i] =
          bundleOf(block, block_points, weight, task.truncation_distance);
      chunk_weight += weight;
    }
    task.chunks[chunk] = bundleOf(points, chunk_points, 0.0f, task.truncation_distance);
    task.chunk_weights[chunk] = chunk_weight;
  }
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/observation.hpp"

namespace pcl::device {

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
  const Observation& observation = task.observation;
  const float tau = observation.truncation_distance;
  const auto alone = [](const auto& numbers) { return numbers; };
#pragma omp parallel for schedule(dynamic)
  for (int chunk = 0; chunk < observation.chunk_count; ++chunk) {
    const std::size_t first = static_cast<std::size_t>(chunk) * chunk_points;
    ObservedPoint* const points = observation.points + first;
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
      observation.blocks[chunk * static_cast<std::size_t>(chunk_blocks) + i] =
          bundleOf<block_points>(block, weight, tau, alone);
      chunk_weight += weight;
    }
    observation.chunks[chunk] = bundleOf<chunk_points>(points, 0.0f, tau, alone);
    observation.chunk_weights[chunk] = chunk_weight;
  }
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/observation.hpp"

#include <cmath>

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
    BackgroundSums chunk_sums = {0.0, 0.0};
    for (int i = 0; i < chunk_blocks; ++i) {
      const ObservedPoint* const block = points + i * block_points;
      const std::size_t number = chunk * static_cast<std::size_t>(chunk_blocks) + i;
      float weight = 0.0f;
      BackgroundSums sums = {0.0, 0.0};
      for (int point = 0; point < block_points; ++point) {
        float background = NAN;
        if (task.backgrounds) {
          const std::size_t place = number * block_points + point;
          if (place < task.count)
            background = backgroundOf(task, task.sorted_numbers[place]);
          observation.backgrounds[place] = background;
          const BackgroundSums own =
              backgroundSums(block[point].weight, background, tau);
          sums.squares += own.squares;
          sums.distances += own.distances;
        }
        weight += std::isnan(background) ? block[point].weight : 0.0f;
      }
      if (task.backgrounds)
        observation.block_backgrounds[number] = sums;
      chunk_sums.squares += sums.squares;
      chunk_sums.distances += sums.distances;
      observation.blocks[number] = bundleOf<block_points>(block, weight, tau, alone);
      for (int half = 0; half < 2; ++half)
        observation.halves[2 * number + half] =
            bundleOf<half_points>(block + half * half_points, 0.0f, tau, alone);
      chunk_weight += weight;
    }
    for (int i = 0; i < chunk_groups; ++i)
      observation.groups[chunk * static_cast<std::size_t>(chunk_groups) + i] =
          bundleOf<group_points>(points + i * group_points, 0.0f, tau, alone);
    if (task.backgrounds)
      observation.chunk_backgrounds[chunk] = chunk_sums;
    observation.chunk_weights[chunk] = chunk_weight;
  }
}

} // namespace pcl::device

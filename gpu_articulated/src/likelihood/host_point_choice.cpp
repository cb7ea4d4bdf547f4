// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/point_choice.hpp"

namespace pcl::device {

void
host::joinNeighbors(const PointChoiceTask& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < task.all.count; ++i)
    joinPoints(task, i);
}

void
host::makeChoiceKeys(const PointChoiceTask& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < task.all.count; ++i)
    makeChoiceKey(task, i);
}

void
host::copyChosenPoints(const PointChoiceTask& task)
{
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < task.chosen_count; ++i)
    copyChosen(task, i);
}

} // namespace pcl::device

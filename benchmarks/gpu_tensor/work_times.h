// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/statistics.h"

#include <ctime>
#include <vector>

namespace benchmarks {

/** \brief Milliseconds of several runs. */
struct WorkTimes {
  std::vector<double> wall;
  /** \brief Of all threads together; other programs on the machine change it little. */
  std::vector<double> processor;
};

/** \brief Runs something a number of times.
 * \param[in] warms_up whether it is run once more before
 */
template <typename Work>
WorkTimes
timeOf(int rounds, bool warms_up, const Work& work)
{
  WorkTimes times;
  if (warms_up)
    work();
  for (int round = 0; round < rounds; ++round) {
    const StopWatch watch;
    const std::clock_t processor_start = std::clock();
    work();
    times.processor.push_back(
        1e3 * static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC);
    times.wall.push_back(watch.milliseconds());
  }
  return times;
}

} // namespace benchmarks

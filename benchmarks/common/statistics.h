// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace benchmarks {

/** \brief Measures the time since it was made, by the host's clock. */
class StopWatch {
public:
  double
  seconds() const
  {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  double
  milliseconds() const
  {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

inline double
leastOf(const std::vector<double>& values)
{
  return *std::min_element(values.begin(), values.end());
}

/** \brief Returns the median, the greater one of an even number; 0 if there are no
 * values. */
inline double
medianOf(std::vector<double> values)
{
  if (values.empty())
    return 0.0;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_floors.h"

#include <algorithm>

namespace benchmarks {

namespace {

// Bytes of one element.
constexpr double raw_depth = 2.0;
constexpr double depth = 4.0;
constexpr double point = 16.0;
constexpr double validity = 1.0;
constexpr double triangle = 12.0;

} // namespace

double
Floor::largest() const
{
  return std::max({memory, arithmetic, special});
}

Floor
floorOf(const Work& work, double working_set, const Ceilings& ceilings)
{
  const double rate =
      working_set <= ceilings.cache_bytes ? ceilings.cache : ceilings.memory;
  return {1e6 * work.bytes / rate,
          1e6 * work.instructions / ceilings.arithmetic,
          1e6 * work.transcendentals / ceilings.special};
}

double
chainWorkingSet(double pixels, double polygons)
{
  return pixels * (raw_depth + depth + 2.0 * point + validity) + polygons * triangle;
}

Work
filterWork(double pixels, int radius)
{
  // Every tap: difference, range argument, weight, two sums, and the tap's share of
  // loading and of the tests for missing depth.
  const double taps = (2.0 * radius + 1.0) * (2.0 * radius + 1.0);
  return {pixels * (raw_depth + depth), pixels * taps * 8.0, pixels * taps};
}

Work
projectionWork(double pixels)
{
  return {pixels * (depth + point), pixels * 4.0, 0.0};
}

Work
normalWork(double pixels, int radius)
{
  // Nine sums over columns, then over rows; their products; an eigenvector.
  const double sums = 2.0 * (2.0 * radius + 1.0) * 9.0;
  return {pixels * 2.0 * point, pixels * (sums + 9.0 + 200.0), 0.0};
}

Work
adaptiveNormalWork(double pixels)
{
  return {pixels * 2.0 * point, 0.0, 0.0};
}

Work
flyingPixelWork(double pixels)
{
  return {pixels * (raw_depth + depth), 0.0, 0.0};
}

Work
resolutionWork(double pixels)
{
  // Each pair of neighbours once: a distance and an angle.
  return {pixels * 2.0 * point, pixels * 4.0 * 20.0, pixels * 4.0 * 2.0};
}

Work
triangulationWork(double pixels, double polygons)
{
  return {pixels * (2.0 * point + validity) + polygons * triangle, pixels * 120.0, 0.0};
}

Work
chainWork(double pixels, double polygons, int filter_radius, int normal_radius)
{
  Work sum;
  for (const Work& stage : {filterWork(pixels, filter_radius),
                            projectionWork(pixels),
                            normalWork(pixels, normal_radius),
                            resolutionWork(pixels),
                            triangulationWork(pixels, polygons)}) {
    sum.bytes += stage.bytes;
    sum.instructions += stage.instructions;
    sum.transcendentals += stage.transcendentals;
  }
  sum.bytes -= pixels * depth;
  return sum;
}

} // namespace benchmarks

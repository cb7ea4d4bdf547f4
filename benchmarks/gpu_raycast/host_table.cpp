// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_table.h"

#include "common/report.h"
#include "common/statistics.h"

#include <algorithm>
#include <cstdio>

#if BENCHMARKS_HAVE_EMBREE
#include <embree3/rtcore_config.h>
#endif

namespace benchmarks {

namespace {

void
printTimes(const std::vector<double>& times)
{
  if (times.empty())
    std::printf(" |");
  else
    printCell(leastAndMedian(times, 2));
}

} // namespace

std::string
embreeVersion()
{
#if BENCHMARKS_HAVE_EMBREE
  return std::string("Embree ") + RTC_VERSION_STRING;
#else
  return {};
#endif
}

void
printTables(const std::vector<MeshRow>& rows)
{
  std::printf("\nMilliseconds a frame, fastest / median:\n");
  printHeading("| mesh | triangles | pixels hit | ours | Embree, rebuilt | of it the "
               "build | Embree, refitted | of it the refit | Embree's faster way is "
               "slower by, fastest / median |");
  for (const MeshRow& row : rows) {
    std::printf("| %s | %zu | %.1f%% |",
                row.name.c_str(),
                row.triangles,
                100.0 * row.hit_share);
    printTimes(row.ours.frame);
    printTimes(row.rebuild.frame);
    printTimes(row.rebuild.update);
    printTimes(row.refit.frame);
    printTimes(row.refit.update);
    if (!row.refit.frame.empty())
      std::printf(" %.2f / %.2f |",
                  std::min(leastOf(row.rebuild.frame), leastOf(row.refit.frame)) /
                      leastOf(row.ours.frame),
                  std::min(medianOf(row.rebuild.frame), medianOf(row.refit.frame)) /
                      medianOf(row.ours.frame));
    else
      std::printf(" |");
    std::printf("\n");
  }
  if (rows.empty() || rows[0].compared == 0)
    return;
  std::printf("\nPixels on which Embree and ours differ:\n");
  printHeading("| mesh | pixels compared | only one hits | different triangles | "
               "largest relative difference of depth where the triangle is the same |");
  for (const MeshRow& row : rows)
    std::printf("| %s | %zu | %zu | %zu | %.1e |\n",
                row.name.c_str(),
                row.compared,
                row.other_hit,
                row.other_triangle,
                row.depth_error);
}

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#if BENCHMARKS_HAVE_EMBREE
#include <embree3/rtcore_config.h>
#endif

namespace benchmarks {

namespace {

double
medianOf(std::vector<double> values)
{
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double
leastOf(const std::vector<double>& values)
{
  return *std::min_element(values.begin(), values.end());
}

void
printTimes(const std::vector<double>& times)
{
  if (times.empty())
    std::printf(" |");
  else
    std::printf(" %.2f / %.2f |", leastOf(times), medianOf(times));
}

std::string
processorName()
{
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.compare(0, 10, "model name") == 0)
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

} // namespace

void
printContext(int size, int threads, int frames)
{
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  std::printf("- date: %s\n- processor: %s, %u cores visible, %d threads used\n",
              date,
              processorName().c_str(),
              std::thread::hardware_concurrency(),
              threads);
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  std::printf("- OMP_WAIT_POLICY: %s\n- compiler: %s",
              policy ? policy : "not set",
              __VERSION__);
#if BENCHMARKS_HAVE_EMBREE
  std::printf("; Embree %s", RTC_VERSION_STRING);
#endif
  std::printf("\n- %dx%d pixels, %d frames\n", size, size, frames);
  std::fflush(stdout);
}

void
printTables(const std::vector<MeshRow>& rows)
{
  std::printf("\nMilliseconds a frame, fastest / median:\n\n"
              "| mesh | triangles | pixels hit | ours | Embree, rebuilt | of it the "
              "build | Embree, refitted | of it the refit | Embree's faster way is "
              "slower by, fastest / median |\n|---|---|---|---|---|---|---|---|---|\n");
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
  std::printf(
      "\nPixels on which Embree and ours differ:\n\n"
      "| mesh | pixels compared | only one hits | different triangles | largest "
      "relative difference of depth where the triangle is the same "
      "|\n|---|---|---|---|---|\n");
  for (const MeshRow& row : rows)
    std::printf("| %s | %zu | %zu | %zu | %.1e |\n",
                row.name.c_str(),
                row.compared,
                row.other_hit,
                row.other_triangle,
                row.depth_error);
}

} // namespace benchmarks

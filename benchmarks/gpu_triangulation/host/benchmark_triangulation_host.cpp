// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Depth map to mesh on the host device, beside PCL's and OpenCV's chains.
 *
 * benchmark_triangulation_host [--threads=N] [Google Benchmark's options]
 */

#include "common/options.h"
#include "host_cases.h"
#include "host_table.h"

#include <pcl/console/print.h>
#include <pcl/gpu/containers/initialization.h>

#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace {

/** \brief Takes "--threads=N" out of the arguments. */
int
takeThreads(std::vector<char*>& arguments)
{
  constexpr const char* prefix = "--threads=";
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (std::strncmp(*argument, prefix, std::strlen(prefix)) != 0)
      continue;
    const int threads = std::atoi(*argument + std::strlen(prefix));
    arguments.erase(argument);
    return threads;
  }
  return 2;
}

} // namespace

int
main(int argc, char** argv)
{
  // Repetitions of all cases are shuffled, so that a disturbance hits all alike. The
  // user's own options come later and win.
  std::string defaults[] = {"--benchmark_repetitions=9",
                            "--benchmark_min_time=0.05",
                            "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments(argv, argv + argc);
  const int threads = takeThreads(arguments);
  if (threads < 1) {
    std::cerr << "benchmark_triangulation_host: error: --threads must be at least 1\n";
    return 2;
  }
  for (auto& option : defaults)
    arguments.insert(arguments.begin() + 1, option.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    return 2;

  omp_set_num_threads(threads);
  pcl::console::setVerbosityLevel(pcl::console::L_ERROR);
  pcl::gpu::setHostDevice();
  for (const auto& frame : benchmarks::loadFrames(benchmarks::dataFolder())) {
    benchmarks::addOurCases(frame);
    benchmarks::addPclCases(frame, threads);
    benchmarks::addOpenCvCases(frame, threads);
  }
  benchmarks::TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}

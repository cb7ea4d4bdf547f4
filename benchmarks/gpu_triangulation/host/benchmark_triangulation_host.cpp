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

#include <string>
#include <vector>

int
main(int argc, char** argv)
{
  // Repetitions of all cases are shuffled, so that a disturbance hits all alike. The
  // user's own options come later and win.
  std::string defaults[] = {"--benchmark_repetitions=9",
                            "--benchmark_min_time=0.05",
                            "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments(argv, argv + argc);
  for (auto& option : defaults)
    arguments.insert(arguments.begin() + 1, option.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());

  int threads = 2;
  benchmarks::Options options("benchmark_triangulation_host [OPTIONS]");
  options.addCount("threads", threads, "that all competitors use");
  return options.run(count, arguments.data(), [&] {
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
    return true;
  });
}

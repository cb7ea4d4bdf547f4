// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/common/work/shared_work.h"
#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "jobs.h"
#include "testing/cluster_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace benchmarks;
using pcl::gpu::apps::SharedWork;
using pcl::gpu::apps::SharingOptions;
using pcl::gpu::test::ClusterOutcome;
using pcl::gpu::test::ClusterRun;
using pcl::gpu::test::simulateRun;

constexpr const char* usage =
    "experiment_scaling EXPERIMENT [OPTIONS]\n"
    "  jobs      work that several GPUs do together, by formulas\n"
    "  night     simulated runs whose nodes fail or are slow\n"
    "  manifest  simulated runs that wait for the lock of one manifest\n"
    "  locks     units that processes record in a folder, measured";

struct Settings {
  int nodes = 64, gpus = 8;
  float hours = 10;
  std::vector<double> unit_seconds = {10, 60, 600};
  std::vector<double> failing = {0, 0.16, 1, 10};
  std::vector<double> lock_milliseconds = {0.05, 0.5, 1};
  float slow = 1, slow_factor = 1.5, spread = 8;
  int runs = 100, seed = 1;
  std::string folder;
};

void
printRow(const std::vector<std::string>& cells)
{
  std::printf("|");
  for (const std::string& cell : cells)
    printCell(cell);
  std::printf("\n");
}

std::string
milliseconds(double microseconds)
{
  return fixed(microseconds / 1e3, microseconds < 1e5 ? 3 : 0);
}

void
printJobs()
{
  printHeading(
      "| ms (of it exchange), efficiency | 1 GPU | 2 | 8 | 64 | 512 | at least "
      "50 % with |");
  for (const Job& job : scalingJobs()) {
    std::vector<std::string> row = {job.name, milliseconds(job.time(1))};
    for (const int gpus : {2, 8, 64, 512})
      row.push_back(milliseconds(job.time(gpus)) + " (" +
                    milliseconds(job.exchange(gpus)) + "), " +
                    fixed(100 * job.efficiency(gpus), 0) + " %");
    int most = 1;
    for (int gpus = 2; gpus <= 8192; gpus += gpus < 8 ? 1 : 8)
      if (job.efficiency(gpus) >= 0.5)
        most = gpus;
    row.push_back(std::to_string(most) + " GPUs");
    printRow(row);
  }
}

/** \brief Figures of simulated runs. */
struct Statistics {
  std::vector<double> values;

  double
  mean() const
  {
    double sum = 0.0;
    for (const double value : values)
      sum += value;
    return sum / static_cast<double>(values.size());
  }

  /** \brief Returns "mean / value that 95 % do not exceed". */
  std::string
  text(int digits) const
  {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto place = static_cast<std::size_t>(std::ceil(0.95 * sorted.size())) - 1;
    return fixed(mean(), digits) + " / " + fixed(sorted[place], digits);
  }
};

void
printNight(const Settings& settings)
{
  printHeading(
      "| unit, s | nodes that fail, % | failures | hours, blocks only | hours, "
      "shared | efficiency, % | lost, GPU s | started again, % |");
  ClusterRun run;
  run.nodes = settings.nodes;
  run.processes_per_node = settings.gpus;
  run.spread = settings.spread / 100;
  run.slow_nodes = settings.slow / 100;
  run.slow_factor = settings.slow_factor;
  const double seconds = 3600 * settings.hours;
  for (const double unit_seconds : settings.unit_seconds)
    for (const double failing : settings.failing) {
      run.unit_seconds = unit_seconds;
      run.units =
          static_cast<int>(settings.nodes * settings.gpus * seconds / unit_seconds);
      run.failures = -std::log1p(-failing / 100) / seconds;
      Statistics failures, blocks, shared, efficiency, lost;
      int again = 0;
      for (int i = 0; i < settings.runs; ++i) {
        run.takes_from_others = false;
        blocks.values.push_back(simulateRun(run, settings.seed + i).makespan / 3600);
        run.takes_from_others = true;
        const ClusterOutcome outcome = simulateRun(run, settings.seed + i);
        failures.values.push_back(static_cast<double>(outcome.failures.size()));
        shared.values.push_back(outcome.makespan / 3600);
        efficiency.values.push_back(100 * outcome.ideal / outcome.makespan);
        lost.values.push_back(outcome.lost);
        again += outcome.starts > 1;
      }
      printRow({fixed(unit_seconds, 0),
                fixed(failing, 2),
                failures.text(1),
                blocks.text(2),
                shared.text(2),
                fixed(efficiency.mean(), 1),
                lost.text(0),
                fixed(100.0 * again / settings.runs, 0)});
    }
}

void
printManifest(const Settings& settings)
{
  std::vector<int> nodes;
  for (int count = 1; count <= settings.nodes; count *= 4)
    nodes.push_back(count);
  std::string heading = "| units a second (efficiency) | locked, ms |";
  for (const int count : nodes)
    heading += " " + std::to_string(count * settings.gpus) + " processes |";
  printHeading(heading);
  ClusterRun run;
  run.processes_per_node = settings.gpus;
  run.spread = settings.spread / 100;
  for (const double unit_seconds : settings.unit_seconds)
    for (const double locked : settings.lock_milliseconds) {
      run.unit_seconds = unit_seconds;
      run.record_seconds = locked / 1e3;
      std::vector<std::string> row = {"units of " + fixed(unit_seconds, 4) + " s",
                                      fixed(locked, 2)};
      for (const int count : nodes) {
        run.nodes = count;
        run.units = 200 * count * settings.gpus;
        const ClusterOutcome outcome = simulateRun(run, settings.seed);
        row.push_back(fixed(run.units / outcome.makespan, 0) + " (" +
                      fixed(100 * outcome.ideal / outcome.makespan, 0) + " %)");
      }
      printRow(row);
    }
}

/** \brief Measures processes, which are threads with files of their own, that record
 * units without work. */
void
printLocks(const Settings& settings)
{
  if (settings.folder.empty())
    throw std::runtime_error("locks needs --folder, on the file system in question");
  printHeading("| processes | units | units a second | microseconds a unit | opening a "
               "finished run, microseconds a unit |");
  const auto files = [](int unit) {
    return std::vector<std::string>{std::to_string(unit)};
  };
  for (int processes = 1; processes <= settings.gpus; processes *= 2) {
    const int units = 2000 * processes;
    const std::string folder =
        (std::filesystem::path(settings.folder) / std::to_string(processes)).string();
    const auto open = [&](int number) {
      SharingOptions sharing;
      sharing.shard = {number, processes};
      sharing.settings = {"experiment_scaling"};
      return std::make_unique<SharedWork>(
          folder, units, sharing, std::vector<std::string>(), files);
    };
    open(0);
    for (int unit = 0; unit < units; ++unit)
      std::ofstream(folder + "/." + std::to_string(unit)) << unit;
    std::vector<std::thread> threads;
    const StopWatch watch;
    for (int number = 0; number < processes; ++number)
      threads.emplace_back([&, number] {
        const auto work = open(number);
        for (const int unit : work->missing())
          if (work->begin(unit)) {
            const std::string name = std::to_string(unit);
            std::filesystem::rename(folder + "/." + name, folder + "/" + name);
            work->end(unit);
          }
      });
    for (std::thread& thread : threads)
      thread.join();
    const double seconds = watch.seconds();
    const StopWatch check;
    if (!open(0)->missing().empty())
      throw std::runtime_error("units of " + folder + " are missing");
    printRow({std::to_string(processes),
              std::to_string(units),
              fixed(units / seconds, 0),
              fixed(1e6 * seconds / units, 0),
              fixed(1e6 * check.seconds() / units, 1)});
  }
}

void
run(const std::string& experiment, const Settings& settings)
{
  if (experiment == "jobs")
    printJobs();
  else if (experiment == "night")
    printNight(settings);
  else if (experiment == "manifest")
    printManifest(settings);
  else if (experiment == "locks")
    printLocks(settings);
  else
    throw std::runtime_error("there is no experiment " + experiment);
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  std::string experiment;
  Options options(usage);
  options.addCount("nodes", settings.nodes, "of the cluster");
  options.addCount(
      "gpus", settings.gpus, "of a node, each with a process; locks: most");
  options.add("hours", settings.hours, "of work for each GPU, and of a night");
  options.add("unit", settings.unit_seconds, "seconds that a unit takes");
  options.add("failing", settings.failing, "nodes that fail in a night, %");
  options.add("slow", settings.slow, "nodes that are slow, %");
  options.add("slow-factor", settings.slow_factor, "times that these take longer");
  options.add("spread", settings.spread, "of GPUs' times, %");
  options.add("lock", settings.lock_milliseconds, "milliseconds that a unit locks");
  options.addCount("runs", settings.runs, "with other random numbers");
  options.addCount("seed", settings.seed, "of the first run");
  options.add("folder", settings.folder, "an empty one, for locks");
  options.addWord("experiment", experiment, "see above");
  return options.run(argc, argv, [&] {
    printContext();
    run(experiment, settings);
    return true;
  });
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/common/work/shared_work.h"
#include "apps/program.h"
#include "testing/cluster_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace pcl::gpu::apps;
using pcl::gpu::test::ClusterOutcome;
using pcl::gpu::test::ClusterRun;
using pcl::gpu::test::NodeFailure;
using pcl::gpu::test::simulateRun;
using pcl::gpu::test::TemporaryFolder;

namespace {

/** \brief A process that shares the work of a run, at the times of a simulation. */
struct RealProcess {
  std::unique_ptr<SharedWork> work; ///< null: it failed
  std::size_t tried = 0;
  int unit = -1; ///< in progress
  double end = INFINITY;
};

/** \brief Shares work by files and locks, with the times and failures of a simulated
 * run, and returns the process that made each unit. */
std::vector<int>
shareReally(const ClusterRun& run,
            const std::vector<NodeFailure>& failures,
            const std::string& folder)
{
  const auto files = [](int unit) {
    return std::vector<std::string>{std::to_string(unit)};
  };
  std::vector<RealProcess> processes(run.nodes * run.processes_per_node);
  const auto next = [&](RealProcess& process, double time) {
    process.unit = -1;
    process.end = INFINITY;
    const std::vector<int>& order = process.work->missing();
    while (process.unit < 0 && process.tried < order.size())
      if (process.work->begin(order[process.tried++])) {
        process.unit = order[process.tried - 1];
        process.end = time + run.unit_seconds;
      }
  };
  for (std::size_t i = 0; i < processes.size(); ++i) {
    SharingOptions sharing;
    sharing.shard = Shard{static_cast<int>(i), static_cast<int>(processes.size())};
    sharing.settings = {"program"};
    processes[i].work = std::make_unique<SharedWork>(
        folder, run.units, sharing, std::vector<std::string>(), files);
  }
  for (RealProcess& process : processes)
    next(process, 0.0);
  std::vector<int> makers(run.units, -1);
  auto failure = failures.begin();
  while (true) {
    const auto first = std::min_element(
        processes.begin(),
        processes.end(),
        [](const RealProcess& a, const RealProcess& b) { return a.end < b.end; });
    if (failure != failures.end() && failure->time < first->end) {
      for (int i = 0; i < run.processes_per_node; ++i)
        processes[failure->node * run.processes_per_node + i] = RealProcess();
      ++failure;
      continue;
    }
    if (first->unit < 0)
      return makers;
    pcl::gpu::test::writeFile(folder + "/" + files(first->unit).front(), "made");
    first->work->end(first->unit);
    makers[first->unit] = static_cast<int>(first - processes.begin());
    next(*first, first->end);
  }
}

ClusterRun
smallRun()
{
  ClusterRun run;
  run.nodes = 3;
  run.processes_per_node = 4;
  run.units = 1000;
  run.unit_seconds = 2.0;
  return run;
}

} // namespace

TEST(ClusterRun, ClaimsUnitsAsSharedWorkDoes)
{
  const TemporaryFolder folder;
  ClusterRun run = smallRun();
  run.processes_per_node = 2;
  run.units = 100;
  run.failures = 0.02;
  int failed = 0;
  for (int seed = 0; seed < 4; ++seed) {
    const ClusterOutcome outcome = simulateRun(run, seed);
    if (outcome.starts > 1)
      continue;
    failed += static_cast<int>(outcome.failures.size());
    EXPECT_EQ(
        shareReally(run, outcome.failures, folder.path("out" + std::to_string(seed))),
        outcome.makers);
  }
  EXPECT_GT(failed, 0);
}

TEST(ClusterRun, TakesTheWholeTurnsOfEqualProcesses)
{
  ClusterRun run = smallRun();
  for (const bool takes : {false, true}) {
    run.takes_from_others = takes;
    const ClusterOutcome outcome = simulateRun(run, 1);
    EXPECT_DOUBLE_EQ(outcome.makespan, 84 * 2.0); // 1000 units of 12 processes
    EXPECT_DOUBLE_EQ(outcome.ideal, 1000 * 2.0 / 12);
    EXPECT_EQ(outcome.lost, 0.0);
    EXPECT_EQ(outcome.starts, 1);
  }
}

TEST(ClusterRun, EndsWithTheSlowestUnlessItsUnitsAreTaken)
{
  ClusterRun run = smallRun();
  run.slow_nodes = 0.5;
  run.slow_factor = 3.0;
  // A seed that makes some of the nodes slow.
  std::uint64_t seed = 0;
  while (simulateRun(run, seed).ideal <= 1000 * 2.0 / 12 ||
         simulateRun(run, seed).ideal >= 3 * 1000 * 2.0 / 12)
    ++seed;
  const ClusterOutcome taking = simulateRun(run, seed);
  run.takes_from_others = false;
  EXPECT_NEAR(simulateRun(run, seed).makespan, 84 * 2.0 * 3.0, 6.0);
  EXPECT_GE(taking.makespan, taking.ideal - 1e-9);
  EXPECT_LE(taking.makespan, taking.ideal + 6.0); // a unit of a slow process
}

TEST(ClusterRun, WaitsForTheManifest)
{
  ClusterRun run = smallRun();
  run.record_seconds = 1.0; // 12 processes are ready for it every 2 s
  EXPECT_DOUBLE_EQ(simulateRun(run, 1).makespan, 2.0 + 1000 * 1.0);
}

TEST(ClusterRun, RepeatsLostUnitsOnly)
{
  // A unit of T seconds without an interrupt takes (e^rT - 1) (1/r + R) seconds on
  // average, if failures of rate r are repaired within R.
  ClusterRun run;
  run.nodes = run.processes_per_node = 1;
  run.units = 10;
  run.unit_seconds = 2.0;
  run.failures = 0.3;
  run.repair_seconds = 5.0;
  double sum = 0.0, squares = 0.0, lost = 0.0, repairs = 0.0;
  constexpr int runs = 4000;
  for (int seed = 0; seed < runs; ++seed) {
    const ClusterOutcome outcome = simulateRun(run, seed);
    sum += outcome.makespan;
    squares += outcome.makespan * outcome.makespan;
    lost += outcome.lost;
    repairs += run.repair_seconds * static_cast<double>(outcome.failures.size());
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / runs);
  const double expected =
      run.units * std::expm1(0.3 * 2.0) * (1.0 / 0.3 + run.repair_seconds);
  EXPECT_NEAR(mean, expected, 4 * error);
  EXPECT_LT(error, 0.02 * expected);
  EXPECT_NEAR(
      mean, run.units * run.unit_seconds + (lost + repairs) / runs, 1e-6 * mean);
}

TEST(ClusterRun, StartsAgainForUnitsOfFailedNodes)
{
  ClusterRun run = smallRun();
  run.takes_from_others = false;
  run.failures = 0.005; // half of the nodes fail in their first start
  bool failed = false;
  for (int seed = 0; seed < 20; ++seed) {
    const ClusterOutcome outcome = simulateRun(run, seed);
    EXPECT_EQ(std::count(outcome.makers.begin(), outcome.makers.end(), -1), 0);
    // Nobody makes units of other blocks.
    for (int unit = 0; unit < run.units; ++unit)
      EXPECT_EQ(outcome.makers[unit], ((unit + 1) * 12 - 1) / run.units);
    EXPECT_GE(outcome.starts, outcome.lost > 0.0 ? 2 : 1);
    failed = failed || outcome.starts > 1;
  }
  EXPECT_TRUE(failed);
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Work of one process and of several, one for each GPU, which exchange results through
// NCCL. See benchmarks/README.md.

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "rank_tasks.h"
#include "testing/rank_processes.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/initialization.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

constexpr const char* meshes_variable = "PCL_GPU_BENCHMARK_MESHES";

RankTask
makeTask(const std::string& name, const Communicator::Ptr& ranks)
{
  if (name == "filter")
    return filterTask(ranks);
  const std::string meshes = std::getenv(meshes_variable);
  for (const int tensors : {200, 500, 2000})
    if (name == "matching" + std::to_string(tensors))
      return matchingTask(ranks, tensors);
  if (name == "mesh1024")
    return meshTask(ranks, meshes, 1024, 1024);
  if (name == "mesh1080p")
    return meshTask(ranks, meshes, 1920, 1080);
  for (const int frames : {1440, 2880})
    if (name == "video" + std::to_string(frames))
      return videoTask(ranks, frames);
  throw std::runtime_error("there is no task " + name);
}

/** \brief Waits until all ranks are here. */
void
meet(Communicator& ranks, DeviceArray<std::uint32_t>& number)
{
  ranks.allReduce(number.ptr(), 1, Reduction::Min);
  ranks.synchronize();
}

/** \brief Times a task, and prints a row of the table on rank 0. */
void
runRank(const test::RankProcess& process)
{
  const auto ranks = process.join(getCudaEnabledDeviceCount(), 120.0f);
  const RankTask task = makeTask(process.task, ranks);
  DeviceArray<std::uint32_t> number;
  number.upload(std::vector<std::uint32_t>(1, 0));
  std::vector<double> queuing_times, times;
  for (int repeat = -1; repeat < task.repeats; ++repeat) {
    meet(*ranks, number);
    const StopWatch watch;
    for (int run = 0; run < task.runs; ++run)
      task.run();
    const double queuing_time = watch.milliseconds();
    ranks->synchronize(task.stream);
    meet(*ranks, number);
    if (repeat < 0)
      continue;
    queuing_times.push_back(queuing_time / task.runs);
    times.push_back(watch.milliseconds() / task.runs);
  }
  const std::uint64_t sum = task.checksum();
  std::vector<std::uint64_t> sums(ranks->size());
  sums[ranks->rank()] = sum;
  DeviceArray<std::uint64_t> all;
  all.upload(sums);
  ranks->allGather(all.ptr(), ranks->shares(sums.size()));
  ranks->synchronize();
  all.download(sums);
  if (std::count(sums.begin(), sums.end(), sum) != ranks->size())
    throw std::runtime_error("ranks have different results");
  if (ranks->rank() == 0) {
    std::printf("| %s | %d | %.3f | %.3f | %016llx |\n",
                process.task.c_str(),
                ranks->size(),
                medianOf(times),
                medianOf(queuing_times),
                static_cast<unsigned long long>(sum));
    std::fflush(stdout);
  }
}

} // namespace

int
main(int argc, char** argv)
{
  if (const auto process = test::rankOfThisProcess()) {
    try {
      runRank(*process);
    }
    catch (const std::exception& error) {
      std::cerr << process->task << ": " << error.what() << '\n';
      return 1;
    }
    return 0;
  }
  std::vector<std::string> tasks = {"filter",
                                    "matching200",
                                    "matching500",
                                    "matching2000",
                                    "mesh1024",
                                    "mesh1080p",
                                    "video1440",
                                    "video2880"};
  std::string meshes;
  Options options("benchmark_ranks_cuda [OPTIONS]");
  options.add("tasks", tasks, "some of them; all by default");
  options.add("meshes", meshes, "folder of dragon_871k.ply.xz");
  return options.run(argc, argv, [&] {
    setenv(meshes_variable, meshes.c_str(), 1);
    const int devices = getCudaEnabledDeviceCount();
    printContext();
    printHeading("| task | GPUs | ms | of it until all is queued | checksum |");
    std::cout.flush();
    for (const std::string& task : tasks)
      for (int size = 1; size <= devices; size *= 2)
        for (const int result : test::runRankProcesses(size, task))
          if (result != 0)
            throw std::runtime_error(task + " failed");
    return true;
  });
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_cases.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

/** \brief Runs the case as often as \a state asks; milliseconds of every run. */
std::vector<double>
timeRuns(benchmark::State& state, const HostCase& host_case)
{
  using Clock = std::chrono::steady_clock;
  std::vector<double> samples;
  for (auto _ : state) {
    if (host_case.prepare)
      host_case.prepare();
    const auto start = Clock::now();
    host_case.run();
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    state.SetIterationTime(elapsed.count());
    samples.push_back(1000.0 * elapsed.count());
  }
  return samples;
}

/** \brief The error of a case's normals; worked out once, the repetitions share it. */
const NormalError&
errorOf(const std::string& key, const HostCase& host_case)
{
  static std::map<std::string, NormalError> errors;
  auto found = errors.find(key);
  if (found == errors.end()) {
    const CloudAndNormals result = host_case.result();
    const VectorMap reference = referenceNormals(result.points, window_radius);
    found = errors.emplace(key, compareNormals(result.normals, reference)).first;
  }
  return found->second;
}

} // namespace

void
addCase(const Frame& frame, HostCase host_case)
{
  const std::string key = frame.name + "/" + host_case.stage + "/" + host_case.name;
  auto shared = std::make_shared<const HostCase>(std::move(host_case));
  auto* registered =
      benchmark::RegisterBenchmark(key.c_str(), [key, shared](benchmark::State& state) {
        std::vector<double> samples = timeRuns(state, *shared);
        std::sort(samples.begin(), samples.end());
        state.counters["min_ms"] = samples.front();
        state.counters["median_ms"] = samples[samples.size() / 2];
        if (!shared->result)
          return;
        const NormalError& error = errorOf(key, *shared);
        state.counters["error_deg"] = error.mean;
        state.counters["error_median_deg"] = error.median;
        state.counters["kept"] = error.kept;
      });
  registered->UseManualTime()->Unit(benchmark::kMillisecond);
}

VectorMap
pointsOf(const Cloud& cloud)
{
  return VectorMap(static_cast<int>(cloud.width),
                   static_cast<int>(cloud.height),
                   [&](std::size_t i) { return cloud[i].getVector3fMap(); });
}

VectorMap
normalsOf(const pcl::PointCloud<pcl::Normal>& normals)
{
  return VectorMap(static_cast<int>(normals.width),
                   static_cast<int>(normals.height),
                   [&](std::size_t i) { return normals[i].getNormalVector3fMap(); });
}

} // namespace benchmarks

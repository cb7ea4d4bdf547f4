// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_cases.h"

#include "common/statistics.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

/** \brief Runs the case as often as \a state asks; milliseconds of every run. */
std::vector<double>
timeRuns(benchmark::State& state, const HostCase& host_case)
{
  std::vector<double> samples;
  for (auto _ : state) {
    if (host_case.prepare)
      host_case.prepare();
    const StopWatch watch;
    host_case.run();
    const double elapsed = watch.seconds();
    state.SetIterationTime(elapsed);
    samples.push_back(1000.0 * elapsed);
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
        const std::vector<double> samples = timeRuns(state, *shared);
        state.counters["min_ms"] = leastOf(samples);
        state.counters["median_ms"] = medianOf(samples);
        if (!shared->result)
          return;
        const NormalError& error = errorOf(key, *shared);
        state.counters["error_deg"] = error.mean;
        state.counters["error_median_deg"] = error.median;
        state.counters["kept"] = error.kept;
      });
  registered->UseManualTime()->Unit(benchmark::kMillisecond);
}

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "timings.h"

#include "../files/output_file.h"
#include "json_text.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace pcl::gpu::apps {

namespace {

double
medianOf(std::vector<double> samples)
{
  if (samples.empty())
    return 0.0;
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 ? samples[half] : 0.5 * (samples[half - 1] + samples[half]);
}

} // namespace

Timings::Timings(const std::string& program, const std::string& device)
{
  describe("program", program);
  describe("version", PCL_GPU_VERSION);
  describe("device", device);
}

Timings::Timer::~Timer()
{
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  timings.add(stage, elapsed.count());
}

void
Timings::describe(const std::string& key, const std::string& value)
{
  facts_.emplace_back(key, jsonText(value));
}

void
Timings::describe(const std::string& key, double value)
{
  facts_.emplace_back(key, jsonNumber(value));
}

void
Timings::add(const std::string& stage, double milliseconds)
{
  if (samples_.find(stage) == samples_.end())
    stages_.push_back(stage);
  samples_[stage].push_back(milliseconds);
}

double
Timings::median(const std::string& stage) const
{
  const auto found = samples_.find(stage);
  return found == samples_.end() ? 0.0 : medianOf(found->second);
}

std::string
Timings::json() const
{
  std::ostringstream out;
  out << "{\n";
  for (const auto& fact : facts_)
    out << "  " << jsonText(fact.first) << ": " << fact.second << ",\n";
  out << "  \"stages\": [";
  const char* separator = "\n";
  for (const auto& stage : stages_) {
    const std::vector<double>& samples = samples_.at(stage);
    const auto range = std::minmax_element(samples.begin(), samples.end());
    out << separator << "    {\"name\": " << jsonText(stage)
        << ", \"calls\": " << samples.size() << ", \"median_ms\": " << medianOf(samples)
        << ", \"min_ms\": " << *range.first << ", \"max_ms\": " << *range.second
        << ", \"total_ms\": " << std::accumulate(samples.begin(), samples.end(), 0.0)
        << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
  return out.str();
}

void
Timings::write(const std::string& path) const
{
  if (!path.empty())
    writeText(path, json());
}

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shard.h"

#include "../command_line/errors.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace pcl::gpu::apps {

namespace {

constexpr int most_shards = 1000000;

std::optional<int>
parseNumber(const std::string& text)
{
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end || number < 0 ||
      number > most_shards)
    return std::nullopt;
  return number;
}

std::optional<int>
readVariable(const char* name)
{
  const char* const text = std::getenv(name);
  if (!text)
    return std::nullopt;
  const auto number = parseNumber(text);
  if (!number)
    throw InputError(std::string(name) + "=" + text + ": expected a number, 0 to " +
                     std::to_string(most_shards));
  return number;
}

/** \brief Returns the process's number among those that one launcher started. */
Shard
taskOfLauncher()
{
  // Slurm's own come last: they also exist where mpirun started several processes.
  constexpr const char* variables[][2] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMIX_RANK", "PMIX_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [number, count] : variables) {
    const auto k = readVariable(number), n = readVariable(count);
    if (!k || !n)
      continue;
    checkOption(*k < *n,
                std::string(number) + "=" + std::to_string(*k),
                "a number below " + std::string(count) + "=" + std::to_string(*n));
    return {*k, *n};
  }
  return {};
}

/** \brief Returns the job's number in a Slurm array. */
Shard
jobOfArray()
{
  const auto id = readVariable("SLURM_ARRAY_TASK_ID");
  const auto count = readVariable("SLURM_ARRAY_TASK_COUNT");
  if (!id || !count)
    return {};
  const int first = readVariable("SLURM_ARRAY_TASK_MIN").value_or(0);
  const int step = readVariable("SLURM_ARRAY_TASK_STEP").value_or(1);
  const int number = step > 0 ? (*id - first) / step : -1;
  checkOption(number >= 0 && number < *count && first + number * step == *id,
              "SLURM_ARRAY_TASK_ID=" + std::to_string(*id),
              "an array of numbers without gaps");
  return {number, *count};
}

} // namespace

Shard
parseShard(const std::string& option, const std::string& text)
{
  if (text == "auto") {
    const Shard task = taskOfLauncher(), job = jobOfArray();
    const std::int64_t count = std::int64_t(job.count) * task.count;
    checkOption(count <= most_shards,
                std::to_string(count) + " shards",
                "at most " + std::to_string(most_shards));
    return {job.number * task.count + task.number, static_cast<int>(count)};
  }
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = parseNumber(text.substr(0, slash));
    const auto count = parseNumber(text.substr(slash + 1));
    if (number && count && *count > 0 && *number <= *count)
      return {*number % *count, *count};
  }
  throw InputError(option + " " + text +
                   ": expected K/N, K up to N, such as 2/3, or auto");
}

} // namespace pcl::gpu::apps

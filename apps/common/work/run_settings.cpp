// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "run_settings.h"

#include <cstdint>
#include <sstream>
#include <stdexcept>

namespace pcl::gpu::apps {

namespace {

// Inputs may have moved; their files are settings of their own.
const std::set<std::string> always_unrelated = {"help",
                                                "version",
                                                "input",
                                                "output",
                                                "output-directory",
                                                "resume",
                                                "shard",
                                                "timings",
                                                "device",
                                                "devices",
                                                "view"};

std::string
textOf(const boost::any& value)
{
  std::ostringstream text;
  if (const auto* string = boost::any_cast<std::string>(&value))
    text << *string;
  else if (const auto* number = boost::any_cast<float>(&value))
    text << *number;
  else if (const auto* whole = boost::any_cast<int>(&value))
    text << *whole;
  else if (const auto* large = boost::any_cast<std::uint64_t>(&value))
    text << *large;
  else if (const auto* flag = boost::any_cast<bool>(&value))
    text << (*flag ? "yes" : "no");
  else if (const auto* strings = boost::any_cast<std::vector<std::string>>(&value))
    for (const std::string& part : *strings)
      text << (text.tellp() > 0 ? " " : "") << part;
  else
    throw std::logic_error("an option's type has no text");
  return text.str();
}

} // namespace

std::vector<std::string>
settingsOf(const std::string& program,
           const boost::program_options::variables_map& values,
           const std::set<std::string>& unrelated)
{
  std::vector<std::string> lines = {program + " " PCL_GPU_VERSION};
  for (const auto& [name, value] : values)
    if (always_unrelated.count(name) == 0 && unrelated.count(name) == 0)
      lines.push_back("--" + name + " " + textOf(value.value()));
  return lines;
}

} // namespace pcl::gpu::apps

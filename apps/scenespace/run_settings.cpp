// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "run_settings.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace pcl::gpu::apps {

namespace {

// Options that do not change frames, and the input, whose folder may have moved.
const std::set<std::string> unrelated = {"help",
                                         "version",
                                         "input",
                                         "output",
                                         "compare",
                                         "resume",
                                         "timings",
                                         "memory",
                                         "host-memory",
                                         "threads",
                                         "save-color-camera",
                                         "device",
                                         "devices"};

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
  else if (const auto* flag = boost::any_cast<bool>(&value))
    text << (*flag ? "yes" : "no");
  else
    throw std::logic_error("an option's type has no text");
  return text.str();
}

/** \brief Returns a line for each option and its value. */
std::vector<std::string>
settingsOf(const SceneSpaceOptions& options)
{
  std::vector<std::string> lines = {"effect " + options.effect->name};
  for (const auto& [name, value] : options.values)
    if (unrelated.count(name) == 0)
      lines.push_back("--" + name + " " + textOf(value.value()));
  return lines;
}

/** \brief Checks that settings are those of a file. */
void
checkSettings(const std::vector<std::string>& settings, const std::string& file)
{
  std::ifstream stream(file);
  std::set<std::string> kept;
  for (std::string line; std::getline(stream, line);)
    kept.insert(line);
  for (const std::string& line : settings)
    if (kept.erase(line) == 0)
      throw InputError(line + ": is not in " + file +
                       ": expected the options of the run that is resumed");
  if (!kept.empty())
    throw InputError("no " + *kept.begin() + ", which is in " + file +
                     ": expected the options of the run that is resumed");
}

} // namespace

void
keepSettings(const SceneSpaceOptions& options)
{
  prepareFolder(options.output);
  const std::string file =
      (std::filesystem::path(options.output) / "settings.txt").string();
  const std::vector<std::string> settings = settingsOf(options);
  if (std::filesystem::exists(file))
    return checkSettings(settings, file);
  std::string text;
  for (const std::string& line : settings)
    text += line + '\n';
  writeText(file, text);
}

} // namespace pcl::gpu::apps

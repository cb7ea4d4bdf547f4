// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/natural_order.h>

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <filesystem>
#include <locale>

namespace pcl::gpu {

namespace files = std::filesystem;

std::string
inFolder(const std::string& folder, const std::string& file)
{
  return (files::path(folder) / file).string();
}

std::string
stemOf(const std::string& file)
{
  return files::path(file).stem().string();
}

std::string
numberOf(const std::string& frame)
{
  std::size_t begin = frame.find_last_not_of("0123456789") + 1;
  if (begin == frame.size())
    return "";
  const std::string number = takeNumber(frame, begin);
  return number.empty() ? "0" : number;
}

std::vector<std::string>
filesEndingIn(const std::string& folder, const std::vector<std::string>& endings)
{
  std::vector<std::string> names;
  try {
    for (const auto& entry : files::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const auto hasEnding = [&](const std::string& ending) {
        return name.size() > ending.size() &&
               boost::algorithm::iends_with(name, ending, std::locale::classic());
      };
      if (name[0] != '.' && std::any_of(endings.begin(), endings.end(), hasEnding))
        names.push_back(name);
    }
  }
  catch (const files::filesystem_error& error) {
    PCL_THROW_EXCEPTION(IOException, folder << ": " << error.code().message());
  }
  std::sort(names.begin(), names.end(), isBefore);
  return names;
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"

#include <pcl/exceptions.h>

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <filesystem>
#include <locale>

namespace pcl::gpu {

namespace {

namespace files = std::filesystem;

bool
isDigit(char c)
{
  return c >= '0' && c <= '9';
}

/** \brief Takes a number of any length off a text.
 * \param[in,out] begin its first digit; the character behind it
 * \return it without leading zeros; empty if it is 0
 */
std::string
takeNumber(const std::string& text, std::size_t& begin)
{
  while (begin < text.size() && text[begin] == '0')
    ++begin;
  const std::size_t first = begin;
  while (begin < text.size() && isDigit(text[begin]))
    ++begin;
  return text.substr(first, begin - first);
}

} // namespace

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

bool
isBefore(const std::string& name, const std::string& other)
{
  std::size_t i = 0, j = 0;
  while (i < name.size() && j < other.size()) {
    if (isDigit(name[i]) && isDigit(other[j])) {
      const std::string number = takeNumber(name, i),
                        other_number = takeNumber(other, j);
      if (number.size() != other_number.size())
        return number.size() < other_number.size();
      if (number != other_number)
        return number < other_number;
    }
    else if (name[i] != other[j])
      return name[i] < other[j];
    else
      ++i, ++j;
  }
  const std::size_t left = name.size() - i, other_left = other.size() - j;
  return left != other_left ? left < other_left : name < other;
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

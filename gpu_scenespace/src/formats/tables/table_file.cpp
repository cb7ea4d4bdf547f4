// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/table_file.h"

#include <pcl/exceptions.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace pcl::gpu {

double
TableLine::valueAt(std::size_t column) const
{
  if (column >= words.size())
    fail("has " + std::to_string(words.size()) + " words",
         "at least " + std::to_string(column + 1));
  const std::string& word = words[column];
  // The same in every locale.
  const char* const first = word.c_str();
  const char* const end = first + word.size();
  const bool has_plus = *first == '+' && first[1] != '-';
  double value = 0.0;
  const std::from_chars_result read = std::from_chars(first + has_plus, end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
    fail("\"" + word + "\"", "a number");
  return value;
}

void
TableLine::fail(const std::string& problem, const std::string& expectation) const
{
  PCL_THROW_EXCEPTION(IOException,
                      file << ", line " << number << ": " << problem << ": expected "
                           << expectation);
}

std::vector<TableLine>
readTable(const std::string& file)
{
  std::ifstream stream(file);
  if (!stream)
    PCL_THROW_EXCEPTION(IOException, file << ": " << std::strerror(errno));
  std::vector<TableLine> lines;
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    std::istringstream words(text);
    TableLine line{file,
                   number,
                   {std::istream_iterator<std::string>(words),
                    std::istream_iterator<std::string>()}};
    if (!line.words.empty() && line.words[0][0] != '#')
      lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/table_file.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/number_text.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <cmath>
#include <iterator>
#include <sstream>

namespace pcl::gpu {

double
TableLine::valueAt(std::size_t column) const
{
  if (column >= words.size())
    fail("has " + std::to_string(words.size()) + " words",
         "at least " + std::to_string(column + 1));
  const std::string& word = words[column];
  const auto value = numberOf<double>(word);
  if (!value || !std::isfinite(*value))
    fail("\"" + word + "\"", "a number");
  return *value;
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
  std::istringstream stream(readTextFile(file));
  std::vector<TableLine> lines;
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    std::istringstream words(text);
    TableLine line{file,
                   number,
                   {std::istream_iterator<std::string>(words),
                    std::istream_iterator<std::string>()},
                   !stream.eof()};
    if (text.find('\0') != std::string::npos)
      line.fail("a byte of 0", "text");
    if (!line.words.empty() && line.words[0][0] != '#')
      lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<TableLine>
readUniformTable(const std::string& file)
{
  std::vector<TableLine> lines = readTable(file);
  for (const TableLine& line : lines)
    if (line.words.size() != lines.front().words.size())
      line.fail(std::to_string(line.words.size()) + " words",
                "as many as in the line before: " +
                    std::to_string(lines.front().words.size()));
  return lines;
}

} // namespace pcl::gpu

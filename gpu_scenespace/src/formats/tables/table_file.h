// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief A line of a text file that is a table: words between white space. */
struct TableLine {
  std::string file;
  int number; ///< from 1
  std::vector<std::string> words;
  bool has_end; ///< a line break, which the last line of a file may lack

  /** \brief A word as a number.
   * \param[in] column of the word, from 0
   * \throws pcl::IOException naming file and line, if it is missing or no finite number
   */
  double
  valueAt(std::size_t column) const;

  /** \brief Throws pcl::IOException "<file>, line <number>: <problem>: expected
   * <expectation>". */
  [[noreturn]] void
  fail(const std::string& problem, const std::string& expectation) const;
};

/** \brief Reads the lines of a table, but empty ones and those that begin with #.
 * \throws pcl::IOException naming the file, if it cannot be read, and the line, if it
 * is no text
 */
std::vector<TableLine>
readTable(const std::string& file);

/** \brief Reads a table whose lines have equally many words. A line with fewer of them,
 * as at the end of a file that is not complete, could be read as another one.
 * \throws pcl::IOException as readTable(), or naming the line with another number
 */
std::vector<TableLine>
readUniformTable(const std::string& file);

} // namespace pcl::gpu

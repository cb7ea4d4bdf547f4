// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace benchmarks {

/** \brief Conditions of a program's run. */
struct RunContext {
  std::string date;   ///< year-month-day
  std::string commit; ///< of the program's sources
  std::string processor;
  std::string device; ///< empty if the current device is the host
  std::string driver;
  int runtime = 0; ///< CUDA's version number
};

RunContext
runContext();

/** \brief Prints the conditions of the figures in one line: date, commit, processor and
 * threads, device and driver, compiler.
 * \param[in] versions of other libraries, printed at the end
 */
void
printContext(const std::string& versions = {});

/** \brief Prints an empty line, and the first two lines of a Markdown table.
 * \param[in] columns "| first | second |"
 */
void
printHeading(const std::string& columns);

/** \brief Prints a cell of a Markdown table: " text |". */
void
printCell(const std::string& text);

/** \brief Returns a number with so many digits behind the point. */
std::string
fixed(double value, int digits);

/** \brief Returns "fastest / median" of times. */
std::string
leastAndMedian(const std::vector<double>& times, int digits);

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <string>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief A line on the terminal that fills up; nothing at all in a pipe. */
class ProgressBar {
public:
  /** \brief Starts at 0.
   * \param[in] total how many steps there will be
   */
  explicit ProgressBar(std::size_t total);

  /** \brief Ends the line. */
  ~ProgressBar();

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar&
  operator=(const ProgressBar&) = delete;

  /** \brief One more step is done.
   * \param[in] label what was done, shown beside the bar
   */
  void
  step(const std::string& label);

private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool visible_;
};

} // namespace apps
} // namespace gpu
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace pcl::gpu::apps {

/** \brief Progress bar on the terminal, with the rate and the time left. Prints nothing
 * in a pipe. */
class ProgressBar {
public:
  /** \brief Starts at 0.
   * \param[in] total number of steps
   */
  explicit ProgressBar(std::size_t total);

  /** \brief Ends the line. */
  ~ProgressBar();

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar&
  operator=(const ProgressBar&) = delete;

  /** \brief Counts steps that were done before, and leaves them out of the rate. */
  void
  skip(std::size_t steps);

  /** \brief Counts one step as done.
   * \param[in] label text beside the bar
   */
  void
  step(const std::string& label);

private:
  /** \brief Returns steps per second and the time left; empty until they are known. */
  std::string
  pace() const;

  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t skipped_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool visible_;
};

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace pcl::gpu::apps {

/** \brief A line on the terminal that fills up, with how fast it does and how long it will
 * take; nothing at all in a pipe. */
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

  /** \brief Some steps were done before, and say nothing of how long others take. */
  void
  skip(std::size_t steps);

  /** \brief One more step is done.
   * \param[in] label what was done, shown beside the bar
   */
  void
  step(const std::string& label);

private:
  /** \brief Steps a second and the time that is left, as soon as they can be told. */
  std::string
  pace() const;

  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t skipped_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool visible_;
};

} // namespace pcl::gpu::apps

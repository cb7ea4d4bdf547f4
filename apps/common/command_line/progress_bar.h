// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace pcl::gpu::apps {

/** \brief Prints the expected time of work to come, such as "about 3 minutes for 60
 * frames", to the console or the pipe of errors. Prints nothing for short work.
 * \param[in] seconds the time
 * \param[in] work the work, in words
 * \param[in] shortcut the option that shortens it, in words; may be empty
 */
void
announceTime(double seconds, const std::string& work, const std::string& shortcut);

/** \brief Progress bar on the terminal, with the rate and the time left. In a pipe
 * there is only the expected time, which is announced when some steps are done. */
class ProgressBar {
public:
  /** \brief Starts at 0.
   * \param[in] total number of steps
   * \param[in] steps name of several of them
   * \param[in] shortcut as that of announceTime()
   */
  explicit ProgressBar(std::size_t total,
                       const std::string& steps = "frames",
                       const std::string& shortcut = "");

  /** \brief Ends the line. */
  ~ProgressBar();

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar&
  operator=(const ProgressBar&) = delete;

  /** \brief Announces no time, for work whose time the user has chosen. */
  void
  announceNothing()
  {
    is_announced_ = true;
  }

  /** \brief Counts steps that were done before, and leaves them out of the rate. */
  void
  skip(std::size_t steps);

  /** \brief Prints a note as printNote() does, in place of the bar. */
  void
  note(const std::string& text);

  /** \brief Counts one step as done.
   * \param[in] label text beside the bar
   */
  void
  step(const std::string& label);

private:
  /** \brief Announces the expected time as soon as it is known. */
  void
  announce();

  /** \brief Returns steps per second and the time left; empty until they are known. */
  std::string
  pace() const;

  double
  elapsed() const;

  std::size_t total_;
  std::string steps_;
  std::string shortcut_;
  std::size_t done_ = 0;
  std::size_t skipped_ = 0;
  bool is_announced_ = false;
  double first_ = 0.0; ///< seconds of the first step
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool visible_;
};

} // namespace pcl::gpu::apps

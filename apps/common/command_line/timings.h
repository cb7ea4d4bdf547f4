// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/stream.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Collection of the times of a program's stages, written as JSON. */
class Timings {
public:
  Timings() = default;

  /** \brief Begins with the facts about a run: program, version and device.
   * \param[in] program its name
   * \param[in] device description of the device, or of all of them
   */
  Timings(const std::string& program, const std::string& device);

  /** \brief Adds a fact about the run.
   * \param[in] key its name
   * \param[in] value its value
   */
  void
  describe(const std::string& key, const std::string& value);

  /** \brief Adds a number about the run.
   * \param[in] key its name
   * \param[in] value its value; null in the file if it is not finite
   */
  void
  describe(const std::string& key, double value);

  /** \brief Adds one measurement.
   * \param[in] stage name of the stage; stages are listed in the order of their first
   * times
   * \param[in] milliseconds its duration
   */
  void
  add(const std::string& stage, double milliseconds);

  /** \brief Measures one call.
   * \param[in] stage name of the stage
   * \param[in] work function to measure; complete when it returns
   * \return the result of \a work
   */
  template <typename Work>
  auto
  measure(const std::string& stage, Work work)
  {
    const Timer timer{*this, stage, std::chrono::steady_clock::now()};
    return work();
  }

  /** \brief Measures one call that leaves work on a stream, and waits for that.
   * \param[in] stage name of the stage
   * \param[in] stream stream of the work
   * \param[in] work function to measure
   */
  template <typename Work>
  void
  measure(const std::string& stage, const Stream& stream, Work work)
  {
    const Timer timer{*this, stage, std::chrono::steady_clock::now()};
    work();
    stream.synchronize();
  }

  /** \brief Returns the median time of a stage, milliseconds; 0 if it never ran. */
  double
  median(const std::string& stage) const;

  /** \brief Returns everything as one JSON object. */
  std::string
  json() const;

  /** \brief Writes json() to a file.
   * \param[in] path the file; an empty name is ignored
   * \throws InputError, std::runtime_error if it cannot be written
   */
  void
  write(const std::string& path) const;

private:
  struct Timer {
    Timings& timings;
    const std::string& stage;
    std::chrono::steady_clock::time_point start;
    ~Timer();
  };

  std::vector<std::pair<std::string, std::string>> facts_; // values as JSON
  std::vector<std::string> stages_;
  std::map<std::string, std::vector<double>> samples_;
};

} // namespace pcl::gpu::apps

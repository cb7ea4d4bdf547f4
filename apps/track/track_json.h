// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"
#include "options.h"

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief JSON file with the people of every frame, and their joints by name. */
class TrackJson {
public:
  /** \brief Begins the file.
   * \param[in] path the file, which appears with commit()
   * \param[in] frame_rate frames a second
   * \param[in] names names of the joints; bodies that lack most of these joints have
   * those of their skeletons
   * \throws InputError if it cannot be created
   */
  TrackJson(const std::string& path, float frame_rate, JointNames names);

  /** \brief Adds a frame.
   * \param[in] number number of the frame
   * \param[in] bodies the results in it
   */
  void
  add(int number, const std::vector<TrackedFrame>& bodies);

  /** \brief Writes the file.
   * \throws pcl::IOException if it cannot be written
   */
  void
  commit();

private:
  std::string
  textOf(const TrackedFrame& body);

  std::string path_;
  float frame_rate_;
  JointNames names_;
  std::string frames_; ///< as text
};

} // namespace pcl::gpu::apps

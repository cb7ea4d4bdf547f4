// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"

#include <pcl/gpu/articulated/people_tracker.h>

#include <optional>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Finds people in frames, and follows them from one to the next. */
class PeopleFinder {
public:
  /** \param[in] options the user's options; with fit, every frame is a picture of its
   * own
   */
  explicit PeopleFinder(const TrackOptions& options);

  /** \brief Changes the work of frames, and of the people in them. */
  void
  setEffort(const Effort& effort);

  /** \brief Finds the people in the next frame. Those between it and the last one are
   * left out.
   * \param[in] frame the frame; its cloud is organized
   * \return a result for each person
   */
  std::vector<TrackedFrame>
  run(const TrackFrame& frame);

private:
  const TrackOptions& options_;
  PeopleDetection detection_;
  PeopleTracker tracker_;
  std::optional<int> last_frame_; // its number
};

} // namespace pcl::gpu::apps

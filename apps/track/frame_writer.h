// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/view/display.h"
#include "body_tracker.h"
#include "track_json.h"
#include "track_table.h"

#include <pcl/gpu/articulated/bvh.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Writer and display of the results of a recording's frames. */
class FrameWriter {
public:
  /** \brief Begins the recording's files.
   * \param[in] options options of the recording
   * \param[in] camera camera-to-world
   * \param[in,out] display draws the pictures
   * \throws InputError if files cannot be created
   */
  FrameWriter(const TrackOptions& options, const Pose& camera, Display& display);

  /** \brief Adds a frame to the files, and writes and shows its picture.
   * \param[in] frame its points
   * \param[in] bodies the results in it
   */
  void
  add(const TrackFrame& frame, const std::vector<TrackedFrame>& bodies);

  /** \brief Puts the files that hold all frames in their places.
   * \param[in] body the body if there was none in the frames
   */
  void
  commit(const Skeleton::ConstPtr& body);

private:
  /** \brief Motion of one body; it keeps its pose while it is not seen. */
  struct BodyMotion {
    Skeleton::ConstPtr skeleton;
    int first_frame = 0;
    MotionClip motion;
  };

  const TrackOptions& options_;
  Pose camera_;
  std::map<int, BodyMotion> motions_; ///< by the numbers of people
  std::optional<TrackTable> table_;
  std::optional<TrackJson> json_;
  Display& display_;
};

/** \brief Returns the files of a recording in the output directory.
 * \param[in] recording options of the recording
 * \param[in] frames number of its frames
 */
std::vector<std::string>
filesOf(const TrackOptions& recording, int frames);

} // namespace pcl::gpu::apps

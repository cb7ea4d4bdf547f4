// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_source.h"
#include "rate_keeper.h"

#include <pcl/gpu/articulated/articulated_tracker.h>
#include <pcl/gpu/articulated/forward_kinematics.h>

#include <limits>
#include <optional>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Position of a joint. */
struct TrackedJoint {
  std::string name;
  Eigen::Vector3f position; ///< of the mean pose, metres
  /** \brief Root of the mean squared distance of the particles, metres; NaN without
   * particles. */
  float deviation = std::numeric_limits<float>::quiet_NaN();
  /** \brief Distance from the truth, metres; NaN if that is unknown. */
  float error = std::numeric_limits<float>::quiet_NaN();
};

/** \brief Result of a tracked frame. */
struct TrackedFrame {
  int number = 0;
  int person = 0; ///< of several in one frame, counted from 0
  /** \brief Of people that are looked for, 0 to 1; NaN for a body that is known to be
   * there. */
  float confidence = std::numeric_limits<float>::quiet_NaN();
  Skeleton::ConstPtr skeleton; ///< the body
  double milliseconds = 0.0;   ///< from the cloud in the host's memory to the estimate
  PoseEstimate estimate;
  std::vector<TrackedJoint> joints;
  std::vector<TaperedCapsule> skin; ///< of the mean pose
  /** \brief Mean over the joints, metres; NaN if the truth is unknown. */
  float mean_error = std::numeric_limits<float>::quiet_NaN();
};

/** \brief Sets the body, the joints and the skin of a result to those of a pose.
 * \param[in,out] kinematics kinematics of the body
 * \param[in] pose pose of the body
 * \param[out] result its joints' names and positions, and its skin
 */
void
setBody(ForwardKinematics& kinematics,
        const std::vector<float>& pose,
        TrackedFrame& result);

/** \brief Returns the parameters of a particle filter, without partitions. */
PoseParticleFilterParameters
filterParameters(const TrackOptions& options);

/** \brief Follows a body through frames. */
class BodyTracker {
public:
  /** \brief Makes a tracker.
   * \param[in] options the user's options
   * \param[in] body to follow
   * \param[in] devices devices that share the particles; the first is current in all
   * calls
   */
  BodyTracker(const TrackOptions& options,
              const Skeleton::ConstPtr& body,
              const std::vector<Device>& devices);

  /** \brief Sets the pose of the body before the first frame.
   * \param[in] pose pose of the body
   * \param[in] is_known true: nearly right; false: coarse
   */
  void
  start(const std::vector<float>& pose, bool is_known);

  /** \brief Changes the work of frames behind the first. */
  void
  setEffort(const Effort& effort);

  /** \brief Tracks the body in the next frame. Those between it and the last one are
   * left out. */
  TrackedFrame
  run(const TrackFrame& frame);

private:
  void
  measureJoints(const TrackFrame& frame, TrackedFrame& result);

  const TrackOptions& options_;
  Skeleton::ConstPtr body_;
  ArticulatedTracker<PointXYZ> tracker_;
  ForwardKinematics kinematics_;
  std::vector<bool> is_counted_;  // joints that have an error
  std::optional<int> last_frame_; // its number
};

} // namespace pcl::gpu::apps

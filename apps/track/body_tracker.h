// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frame_source.h"

#include <pcl/gpu/articulated/articulated_tracker.h>
#include <pcl/gpu/articulated/forward_kinematics.h>

#include <limits>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Position of a joint. */
struct TrackedJoint {
  std::string name;
  Eigen::Vector3f position; ///< of the mean pose, metres
  float deviation =
      0.0f; ///< root of the mean squared distance of the particles, metres
  /** \brief Distance from the truth, metres; NaN where that is not known. */
  float error = std::numeric_limits<float>::quiet_NaN();
};

/** \brief Result of a tracked frame. */
struct TrackedFrame {
  int number = 0;
  double milliseconds = 0.0; ///< from the cloud in the host's memory to the estimate
  PointCloud<PointXYZ>::Ptr points;
  PoseEstimate estimate;
  std::vector<TrackedJoint> joints;
  std::vector<TaperedCapsule> skin; ///< of the mean pose
  /** \brief Mean over the joints, metres; NaN where the truth is not known. */
  float mean_error = std::numeric_limits<float>::quiet_NaN();
};

/** \brief Follows a body through frames. */
class BodyTracker {
public:
  /** \brief Makes a tracker.
   * \param[in] options what the user wants
   * \param[in] body to follow
   * \param[in] devices what shares the particles; the first is current in all calls
   */
  BodyTracker(const TrackOptions& options,
              const Skeleton::ConstPtr& body,
              const std::vector<Device>& devices);

  /** \brief Says where the body is before the first frame.
   * \param[in] pose of the body
   * \param[in] is_known whether it is nearly right, not merely coarse
   */
  void
  start(const std::vector<float>& pose, bool is_known);

  /** \brief Goes on by one frame. */
  TrackedFrame
  run(const TrackFrame& frame);

private:
  void
  measureJoints(const TrackFrame& frame, TrackedFrame& result);

  const TrackOptions& options_;
  Skeleton::ConstPtr body_;
  ArticulatedTracker<PointXYZ> tracker_;
  ForwardKinematics kinematics_;
  std::vector<bool> is_counted_; // joints that have an error
  int frames_ = 0;
};

} // namespace pcl::gpu::apps

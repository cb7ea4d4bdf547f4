// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"

namespace pcl::gpu::apps {

/** \brief Finds bodies in pictures that have nothing to do with each other. */
class BodyFitter {
public:
  /** \brief Makes a fitter.
   * \param[in] options the user's options
   * \param[in] body of average size
   */
  BodyFitter(const TrackOptions& options, const Skeleton::ConstPtr& body);

  /** \brief Says about where the trunk is in the next frame. */
  void
  start(const std::vector<float>& pose);

  /** \brief Searches the pose by annealing, then fits it and the body. */
  TrackedFrame
  run(const TrackFrame& frame);

private:
  const TrackOptions& options_;
  Skeleton::ConstPtr body_;
  std::vector<float> start_;
  int frames_ = 0;
};

} // namespace pcl::gpu::apps

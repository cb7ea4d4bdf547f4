// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"

#include <vector>

namespace pcl::gpu::apps {

/** \brief Finds a body in a picture: searches its pose by annealing, then fits the pose
 * and the body.
 * \param[in] options the user's options
 * \param[in] body body of average size
 * \param[in] start pose with a trunk at about the right place
 * \param[in] frame the picture
 * \throws InputError if it has no points
 */
TrackedFrame
fitBody(const TrackOptions& options,
        const Skeleton& body,
        const std::vector<float>& start,
        const TrackFrame& frame);

} // namespace pcl::gpu::apps

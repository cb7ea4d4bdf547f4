// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_source.h"

#include <pcl/gpu/articulated/bvh.h>

namespace pcl::gpu::apps {

/** \brief Body and its motion. */
struct MovingBody {
  Skeleton skeleton; ///< with skin and limits
  MotionClip motion;
};

/** \brief Reads a BVH file and gives its bones a skin and limits.
 * \param[in] file its name
 * \param[in] options of the user: metres for one unit, or a guess by the size of the
 * body; with a hand, the file is one of its motions
 * \throws InputError if it cannot be used
 */
MovingBody
readBvhBody(const std::string& file, const TrackOptions& options);

/** \brief Returns the body to follow.
 * \throws InputError if its file cannot be used
 */
Skeleton::ConstPtr
chooseBody(const TrackOptions& options, const FrameSource& source);

/** \brief Returns the pose from which the first frame starts.
 * \param[in] options of the user
 * \param[in] body to follow
 * \param[in] source of the frames
 * \param[in] first the first frame
 * \throws InputError if its file cannot be used, or the frame has no points
 */
std::vector<float>
chooseFirstPose(const TrackOptions& options,
                const Skeleton& body,
                const FrameSource& source,
                const TrackFrame& first);

} // namespace pcl::gpu::apps

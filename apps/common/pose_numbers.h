// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief What poses are written as, for messages. */
extern const char* const pose_expectation;

/** \brief A rigid pose as files have it.
 * \param[in] numbers a 4 x 4 matrix row by row, maybe without its last row, or
 * tx ty tz qx qy qz qw
 * \param[in] place where they were read, for the message: a file, or a line of it
 * \throws InputError naming the place, if they are anything else
 */
Pose
poseOfNumbers(const std::vector<float>& numbers, const std::string& place);

} // namespace pcl::gpu::apps

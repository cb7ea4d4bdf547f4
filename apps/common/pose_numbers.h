// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Accepted forms of poses, for messages. */
extern const char* const pose_expectation;

/** \brief Returns a rigid pose from the numbers in a file.
 * \param[in] numbers a 4 x 4 matrix row by row, with or without its last row, or tx ty
 * tz qx qy qz qw
 * \param[in] place their place, for the message: a file, or a line of it
 * \throws InputError naming the place, if they are anything else
 */
Pose
poseOfNumbers(const std::vector<float>& numbers, const std::string& place);

} // namespace pcl::gpu::apps

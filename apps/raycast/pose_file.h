// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>

namespace pcl::gpu::apps {

/** \brief Reads a rigid pose: a 4 x 4 matrix row by row, maybe without its last row, or
 * tx ty tz qx qy qz qw.
 * \param[in] path a text file
 * \throws InputError if it is missing or holds anything else
 */
Pose
readPose(const std::string& path);

/** \brief Writes a pose as 4 x 4 matrix.
 * \param[in] pose the pose
 * \param[in] path the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writePose(const Pose& pose, const std::string& path);

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Reads a rigid pose: a 4 x 4 matrix row by row, maybe without its last row, or
 * tx ty tz qx qy qz qw.
 * \param[in] path a text file
 * \throws InputError if it is missing or holds anything else
 */
Pose
readPose(const std::string& path);

/** \brief Reads the poses of cameras, camera-to-world.
 * \param[in] path a text file with a pose in each line, as readPose() reads it or as
 * the TUM benchmark writes it: t tx ty tz qx qy qz qw. Empty lines and lines that begin
 * with # are skipped.
 * \return one or more poses, in the order of the lines; times are ignored
 * \throws InputError naming the file and the line
 */
std::vector<Pose>
readCameraPath(const std::string& path);

/** \brief Writes a pose as 4 x 4 matrix.
 * \param[in] pose the pose
 * \param[in] path the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writePose(const Pose& pose, const std::string& path);

} // namespace pcl::gpu::apps

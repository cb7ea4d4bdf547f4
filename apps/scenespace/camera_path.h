// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Reads the poses of cameras, camera-to-world.
 * \param[in] path a text file with a line for each, apart from empty ones and those that begin
 * with #: t x y z qx qy qz qw, as the TUM benchmark has them, with or without t; or the first
 * 12 or all 16 entries of a matrix, row by row
 * \return one or more, in the order of the lines; times are not looked at
 * \throws InputError naming the file and the line
 */
std::vector<Pose>
readCameraPath(const std::string& path);

} // namespace pcl::gpu::apps

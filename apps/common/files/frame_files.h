// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Finds the files of recorded frames: depth maps (.png) and clouds (.pcd).
 *
 * A folder stands for those in it, in the order of their names, where numbers count (9
 * before 10), without colour images (NAME.color.png).
 * \param[in] inputs files and folders
 * \throws InputError for a missing file, an unknown kind of file, a colour image by
 * its name, an empty folder
 */
std::vector<std::string>
findFrameFiles(const std::vector<std::string>& inputs);

} // namespace pcl::gpu::apps

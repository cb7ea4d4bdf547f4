// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Finds the files of recorded frames: depth maps (.png) and clouds (.pcd).
 *
 * A folder stands for those in it, in the order of their names, without colour images
 * (NAME.color.png).
 * \param[in] inputs files and folders
 * \throws InputError for a missing file, an unknown kind of file, an empty folder
 */
std::vector<std::string>
findFrameFiles(const std::vector<std::string>& inputs);

} // namespace pcl::gpu::apps

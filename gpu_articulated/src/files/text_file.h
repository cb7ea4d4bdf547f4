// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu {

/** \brief Reads all of a file.
 * \throws pcl::IOException naming the file
 */
std::string
readTextFile(const std::string& file);

} // namespace pcl::gpu

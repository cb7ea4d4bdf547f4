// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <string>

namespace pcl::gpu {

/** \brief Reads all of a text file, but a byte order mark of UTF-8 at its start.
 * \param[in] file its name
 * \return its contents
 * \throws pcl::IOException naming the file, if it is a folder or cannot be read
 */
PCL_EXPORTS std::string
readTextFile(const std::string& file);

} // namespace pcl::gpu

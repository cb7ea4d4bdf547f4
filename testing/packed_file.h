// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::test {

/** \brief Returns whether a file's name ends in ".xz". */
bool
isPacked(const std::string& path);

/** \brief Returns a file's path, with ".xz" after it if only the packed file exists. */
std::string
plainOrPacked(const std::string& path);

/** \brief Returns the bytes of a file, unpacked if isPacked().
 * \throws std::runtime_error naming the file, if it is missing or damaged
 */
std::string
contentsOf(const std::string& path);

} // namespace pcl::gpu::test

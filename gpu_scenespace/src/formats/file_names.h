// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the path of a folder's file. */
std::string
inFolder(const std::string& folder, const std::string& file);

/** \brief Returns a file's name without its ending. */
std::string
stemOf(const std::string& file);

/** \brief The number at the end of a frame's name, without leading zeros; empty if
 * there is none. */
std::string
numberOf(const std::string& frame);

/** \brief The names of a folder's files that have one of some endings, in small or
 * capital letters; hidden files are none. They are in the order of isBefore().
 * \throws pcl::IOException naming the folder, if it cannot be read
 */
std::vector<std::string>
filesEndingIn(const std::string& folder, const std::vector<std::string>& endings);

} // namespace pcl::gpu

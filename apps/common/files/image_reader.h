// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>

#include <string>

namespace pcl::gpu::apps {

/** \brief Calls gpu::readDepthImage() for a file that the user named.
 * \param[in] path the file
 * \throws InputError if it cannot be used
 */
DepthImage
readDepthImage(const std::string& path);

/** \brief Calls gpu::readColorImage() for a file that the user named.
 * \param[in] path the file
 * \throws InputError if it cannot be used
 */
ColorImage
readColorImage(const std::string& path);

/** \brief Reads a binary portable graymap (P5) of 16 bits.
 * \param[in] path the file
 * \throws InputError if it is missing, truncated, not a binary PGM, or not of 16 bits
 */
DepthImage
readDepthPgm(const std::string& path);

} // namespace pcl::gpu::apps

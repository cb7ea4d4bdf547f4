// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>

#include <cstdint>
#include <optional>
#include <string>

namespace pcl::gpu::apps {

/** \brief Reads a depth map that the user named: a PNG, or a binary PGM (P5), of 16
 * bits. Sets pixels without a measurement to 0.
 *
 * Prints a note about the first marker that is found without the option.
 * \param[in] path the file
 * \param[in] missing_depth value of --missing-depth; see clearMissingDepth()
 * \throws InputError if it cannot be used
 */
DepthImage
readDepthMap(const std::string& path, std::optional<std::uint16_t> missing_depth);

/** \brief Prints that 65535 counts as missing in a file, and the option that changes
 * it. Prints it for the first file only.
 * \param[in] path the file
 */
void
noteMissingDepthMarker(const std::string& path);

/** \brief Calls gpu::readColorImage() for a file that the user named.
 * \param[in] path the file
 * \throws InputError if it cannot be used
 */
ColorImage
readColorImage(const std::string& path);

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "image_reader.h"

namespace pcl::gpu::apps {

/** \brief Reads a binary portable graymap (P5) of 16 bits.
 * \param[in] path the file
 * \throws InputError if it is missing, truncated, not a binary PGM, or not of 16 bits
 */
DepthImage
readDepthPgm(const std::string& path);

} // namespace pcl::gpu::apps

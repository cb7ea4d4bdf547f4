// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <cstdint>
#include <string>

namespace pcl::gpu::test {

/** \brief Reads a PNG file with one 16-bit channel.
 * \throws pcl::IOException if the file is anything else
 */
Image<std::uint16_t>
readDepthImage(const std::string& path);

} // namespace pcl::gpu::test

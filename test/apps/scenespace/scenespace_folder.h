// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_video.h"

#include <string>

namespace pcl::gpu::test {

constexpr float noise_of_folder = 20.0f;

/** \brief A small video with noise. */
RenderedVideoSettings
settingsOfFolder();

/** \brief Writes that as a folder of colour and depth.
 * \param[in] path its name
 */
void
writeVideoFolder(const std::string& path);

/** \brief A small video as a perfect camera would take it. */
RenderedVideoSettings
settingsOfCleanFolder();

} // namespace pcl::gpu::test

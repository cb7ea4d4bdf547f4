// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_video.h"

#include <string>

namespace pcl::gpu::test {

constexpr float noise_of_folder = 20.0f;

/** \brief Returns the settings of a small video with noise. */
RenderedVideoSettings
settingsOfFolder();

/** \brief Writes the video of settingsOfFolder() as a folder of colour and depth.
 * \param[in] path its name
 */
void
writeVideoFolder(const std::string& path);

/** \brief Returns the settings of a small video of a perfect camera. */
RenderedVideoSettings
settingsOfCleanFolder();

} // namespace pcl::gpu::test

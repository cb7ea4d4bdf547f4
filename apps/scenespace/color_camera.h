// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>

#include <optional>

namespace pcl::gpu::apps {

/** \brief Chooses the colour camera of a video and corrections of its poses: those of
 * the run that is resumed, of the user's file, or found in the recording. Prints a
 * camera that is found, and saves it on demand.
 * \param[in] options the command line
 * \param[in] video as recorded
 * \return none: cameras and poses are those of the video
 * \throws InputError naming the option, if the recording does not determine a camera
 * that the user asks for, or a file cannot be used
 */
std::optional<ColorCalibration>
chooseColorCamera(const SceneSpaceOptions& options, const RGBDVideo& video);

/** \brief Writes the colour camera and the corrections of a run to the output's folder,
 * for a run that resumes this one. */
void
keepColorCamera(const SceneSpaceOptions& options, const ColorCalibration& calibration);

} // namespace pcl::gpu::apps

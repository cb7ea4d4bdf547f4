// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

namespace pcl::gpu::apps {

/** \brief Gives a video the colour camera that the user asks for: found in the
 * recording, read from a file, or that of the video. Prints a camera that is found,
 * and saves it on demand.
 * \param[in] options the command line
 * \param[in] video video as recorded, whose depth is not registered to colour
 * \return the video, or one with another colour camera
 * \throws InputError naming the option, if the recording does not determine the camera
 * or a file cannot be used
 */
RGBDVideo::ConstPtr
withColorCamera(const SceneSpaceOptions& options, const RGBDVideo::ConstPtr& video);

} // namespace pcl::gpu::apps

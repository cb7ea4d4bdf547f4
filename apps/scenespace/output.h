// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>

namespace pcl::gpu::apps {

/** \brief A video that, when a frame is read, also writes a picture of it beside another
 * video's, which is on the left: FOLDER/000012.png.
 * \param[in] video whose frames are wanted
 * \param[in] input with as many frames
 * \param[in] folder where pictures go; made if it is not there
 * \throws InputError if the folder cannot be created
 */
RGBDVideo::ConstPtr
withComparison(RGBDVideo::ConstPtr video,
               RGBDVideo::ConstPtr input,
               const std::string& folder);

/** \brief Writes a video in the format that the user chose.
 * \param[in] video whose frames are read by several threads at once
 * \param[in] options where to, and how
 * \param[in] threads how many
 * \param[in] progress as that of RGBDFolderWriterOptions
 * \throws exceptions of writeRGBDFolder() and of the video
 */
void
writeVideo(const RGBDVideo& video,
           const SceneSpaceOptions& options,
           int threads,
           const std::function<void(int done)>& progress);

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>

namespace pcl::gpu::apps {

/** \brief Returns a video that also writes pictures: each frame that is read, to the
 * right of the input's, as FOLDER/000012.png.
 * \param[in] video video of the frames
 * \param[in] input video with as many frames
 * \param[in] folder folder of the pictures; made if it is missing
 * \throws InputError if the folder cannot be created
 */
RGBDVideo::ConstPtr
withComparison(RGBDVideo::ConstPtr video,
               RGBDVideo::ConstPtr input,
               const std::string& folder);

/** \brief Writes a video in the format that the user chose.
 * \param[in] video video whose frames several threads may read at once
 * \param[in] options folder and format of the output
 * \param[in] threads number of threads that read and write
 * \param[in] progress as that of RGBDFolderWriterOptions
 * \throws exceptions of writeRGBDFolder() and of the video
 */
void
writeVideo(const RGBDVideo& video,
           const SceneSpaceOptions& options,
           int threads,
           const std::function<void(int done)>& progress);

} // namespace pcl::gpu::apps

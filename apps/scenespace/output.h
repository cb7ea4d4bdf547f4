// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/work/shared_work.h"
#include "options.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>
#include <string>
#include <vector>

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

/** \brief Returns the files of a frame in the output.
 * \param[in] options folder and format of the output
 * \param[in] number of the frame
 */
std::vector<std::string>
filesOfFrame(const SceneSpaceOptions& options, int number);

/** \brief Writes the frames of a video that no process has made, in the format that the
 * user chose.
 * \param[in] video video whose frames several threads may read at once
 * \param[in] options folder and format of the output
 * \param[in] threads number of threads that read and write
 * \param[in,out] work the frames
 * \param[in] progress as that of RGBDFolderWriterOptions
 * \throws exceptions of writeRGBDFolder(), of the video and of SharedWork
 */
void
writeVideo(const RGBDVideo& video,
           const SceneSpaceOptions& options,
           int threads,
           SharedWork& work,
           const std::function<void(int done)>& progress);

} // namespace pcl::gpu::apps

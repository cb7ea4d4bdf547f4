// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>
#include <string>

namespace pcl::gpu::apps {

/** \brief Writes a video as organized clouds with colour, each in its camera's frame with the
 * pose as VIEWPOINT, 000000.pcd and so on. Files that are there stay as they are.
 * \param[in] video whose depth is registered to colour
 * \param[in] folder where to; made if it is not there
 * \param[in] threads how many read frames and write files
 * \param[in] progress called with the number of written frames, before the first and after each
 * \throws InputError if the folder cannot be created
 * \throws std::runtime_error if a file cannot be written
 */
void
writeClouds(const RGBDVideo& video,
            const std::string& folder,
            int threads,
            const std::function<void(int done)>& progress);

} // namespace pcl::gpu::apps

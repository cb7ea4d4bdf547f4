// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>

#include <string>

namespace pcl {
namespace gpu {

/** \brief What there is to choose when a video is written.
 *
 * \ingroup gpu_scenespace
 */
struct RGBDFolderWriterOptions {
  /** \brief Metres. Depth below half of it or above 65534 of it is written as missing. */
  float depth_unit = 0.001f;
  /** \brief Whether to go on where a call that was interrupted has ended. Images that are there
   * are taken for those of this video. */
  bool resume = false;
};

/** \brief Writes a video to a folder of colour and depth, as openRGBDFolder() reads them.
 *
 * Frames are named by their numbers, color/000000.png and depth/000000.png. What is read again
 * is what was written: depth to half a unit, poses but for rounding, all else exactly.
 *
 * Every file appears when it is complete. Before all images are there, openRGBDFolder() rejects
 * the folder.
 *
 * \param[in] video whose frames are read one after the other
 * \param[in] folder its name; made if it is not there
 * \param[in] options how to write
 * \throws pcl::BadArgumentException naming the parameter and its value: a video without
 * frames, a depth unit that is not positive
 * \throws pcl::IOException naming the file and the reason: one that cannot be written, a folder
 * that has images or tables of another video, images and no resume
 * \throws what RGBDVideo::read() throws
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeRGBDFolder(const RGBDVideo& video,
                const std::string& folder,
                const RGBDFolderWriterOptions& options = {});

} // namespace gpu
} // namespace pcl

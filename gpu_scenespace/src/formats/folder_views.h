// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_video_files.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Camera and poses in place of missing files; none: the file is required. */
struct ViewDefaults {
  std::function<PinholeCamera()> camera;       ///< for intrinsics.txt
  std::function<Pose(std::size_t place)> pose; ///< for poses.txt: that of a frame
};

/** \brief Reads the text files of a folder about its frames: poses.txt, intrinsics.txt,
 * color_poses.txt, color_intrinsics.txt and color_to_depth.txt.
 * \param[in] folder its name
 * \param[in] options data in place of the folder's
 * \param[in] defaults in place of missing files
 * \param[in,out] frames 1 or more, whose names are known; get all else of their views
 * \return the depth unit, metres
 * \throws pcl::IOException naming the file and the line, or the frame that has no pose
 */
float
readViews(const std::string& folder,
          const RGBDFolderOptions& options,
          const ViewDefaults& defaults,
          std::vector<RGBDVideoFiles::Frame>& frames);

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <string>

// The formats that openRGBDFolder() knows. Each throws as it does. A folder of another
// format is null.

namespace pcl::gpu {

/** \brief The TUM RGB-D benchmark's. */
RGBDVideo::ConstPtr
openTumFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief 7-Scenes'. */
RGBDVideo::ConstPtr
openSevenScenesFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief That of colour images in one folder, depth maps in another one. */
RGBDVideo::ConstPtr
openColorDepthFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief That of PCD files of organized clouds. */
RGBDVideo::ConstPtr
openPcdFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief Returns whether options name a camera. */
inline bool
isNamed(const PinholeCamera& option)
{
  return option.fx != 0.0f || option.fy != 0.0f;
}

/** \brief The camera that options name, or another one. */
inline PinholeCamera
cameraOr(const PinholeCamera& option, const PinholeCamera& other)
{
  return isNamed(option) ? option : other;
}

} // namespace pcl::gpu

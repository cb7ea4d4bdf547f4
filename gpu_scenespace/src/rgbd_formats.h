// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_folder.h>

#include <filesystem>
#include <string>

// The formats that openRGBDFolder() knows. Each throws what it says that it does; a folder of
// another format is null.

namespace pcl {
namespace gpu {

/** \brief The TUM RGB-D benchmark's. */
RGBDVideo::ConstPtr
openTumFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief 7-Scenes'. */
RGBDVideo::ConstPtr
openSevenScenesFolder(const std::string& folder, const RGBDFolderOptions& options);

/** \brief The path of a folder's file. */
inline std::string
inFolder(const std::string& folder, const std::string& file)
{
  return (std::filesystem::path(folder) / file).string();
}

/** \brief The camera that options name, or another one. */
inline PinholeCamera
cameraOr(const PinholeCamera& option, const PinholeCamera& other)
{
  return option.fx == 0.0f && option.fy == 0.0f ? other : option;
}

} // namespace gpu
} // namespace pcl

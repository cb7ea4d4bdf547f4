// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/rgbd_formats.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <filesystem>

namespace pcl::gpu {

RGBDVideo::ConstPtr
openRGBDFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  checkNotNegative("depth unit", options.depth_unit);
  checkPositive("frame rate", options.frame_rate);
  checkNotNegative("largest time apart", options.max_time_apart);
  validatePose(options.color_to_depth, "colour to depth");
  for (const PinholeCamera& camera : {options.depth_camera, options.color_camera})
    if (isNamed(camera))
      camera.validate();
  if (!std::filesystem::is_directory(folder))
    PCL_THROW_EXCEPTION(IOException, folder << ": no such folder");
  try {
    for (const auto open :
         {openTumFolder, openColorDepthFolder, openSevenScenesFolder, openPcdFolder})
      if (RGBDVideo::ConstPtr video = open(folder, options))
        return video;
  }
  catch (const BadArgumentException& error) {
    // The options are right, so the files are not.
    PCL_THROW_EXCEPTION(IOException, folder << ": " << messageOf(error));
  }
  PCL_THROW_EXCEPTION(IOException,
                      folder << ": no RGB-D video: expected rgb.txt and depth.txt, "
                                "folders color and depth, files NAME.color.png "
                                "and NAME.depth.png, or PCD files");
}

bool
namesColorCamera(const std::string& folder)
{
  const auto has = [&](const char* name) {
    return std::filesystem::exists(inFolder(folder, name));
  };
  const bool is_tum = has("rgb.txt") || has("associations.txt");
  const bool has_depth_maps =
      has("depth") || !filesEndingIn(folder, {".depth.png"}).empty();
  return is_tum || !has_depth_maps || has("color_poses.txt") ||
         has("color_intrinsics.txt") || has("color_to_depth.txt");
}

} // namespace pcl::gpu

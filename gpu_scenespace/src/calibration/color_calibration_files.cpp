// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/tables/table_text.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/color_calibration.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <filesystem>
#include <initializer_list>

namespace pcl::gpu {

namespace {

/** \brief Rejects a folder that has a file for which a table would not be read. */
void
checkUnhidden(const std::string& folder,
              const char* table,
              std::initializer_list<const char*> files)
{
  for (const char* name : files) {
    const std::string file = inFolder(folder, name);
    if (std::filesystem::exists(file))
      PCL_THROW_EXCEPTION(IOException,
                          file << ": is there, and " << table
                               << " would not be read: expected a folder without it");
  }
}

} // namespace

void
validateCalibration(const ColorCalibration& calibration)
{
  calibration.color_camera.validate();
  validatePose(calibration.color_to_depth, "colour to depth");
  int least = 0;
  for (const FrameCorrection& correction : calibration.corrections) {
    checkArgument(correction.number >= least,
                  "number of a corrected frame",
                  correction.number,
                  "0 or more, and increasing ones");
    least = correction.number + 1;
    validatePose(correction.motion, "correction of a pose");
    checkPositive("gain", correction.gain);
  }
}

void
writeColorCalibration(const std::string& folder, const ColorCalibration& calibration)
{
  validateCalibration(calibration);
  checkUnhidden(
      folder, "color_to_depth.txt", {"color_poses.txt", "rgb.txt", "associations.txt"});
  writeTable(inFolder(folder, "color_intrinsics.txt"),
             textOf(calibration.color_camera) + "\n");
  writeTable(inFolder(folder, "color_to_depth.txt"),
             matrixText(calibration.color_to_depth));
}

void
writeDepthPoses(const std::string& folder, const RGBDVideo& video)
{
  checkArgument(video.size() > 0, "number of frames", video.size(), "1 or more");
  checkUnhidden(folder, "poses.txt", {"rgb.txt", "associations.txt"});
  std::string text;
  for (int i = 0; i < video.size(); ++i) {
    const RGBDView view = video.view(i);
    text += textOf(view.time, view.depth_pose) + "\n";
  }
  writeTable(inFolder(folder, "poses.txt"), text);
}

} // namespace pcl::gpu

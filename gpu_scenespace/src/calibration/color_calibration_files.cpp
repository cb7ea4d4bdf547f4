// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/tables/frame_cameras.h"
#include "formats/tables/table_text.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>

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
                          file << ": exists, and " << table
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
writeColorCamera(const std::string& file, const ColorCalibration& calibration)
{
  validateCalibration(calibration);
  std::string text = "# colour camera: width height fx fy cx cy, pixels\n" +
                     textOf(calibration.color_camera) +
                     "\n# colour camera to depth camera, metres\n" +
                     matrixText(calibration.color_to_depth);
  if (!calibration.corrections.empty())
    text += "# corrections of frames: number, gain, motion\n";
  for (const FrameCorrection& correction : calibration.corrections) {
    text += std::to_string(correction.number) + " " + textOf(correction.gain);
    for (int i = 0; i < 16; ++i)
      text += " " + textOf(correction.motion.matrix()(i / 4, i % 4));
    text += "\n";
  }
  writeFile(file, text);
}

ColorCalibration
readColorCamera(const std::string& file)
{
  const std::vector<TableLine> lines = readTable(file);
  const auto isTable = [&] {
    return lines.size() >= 5 &&
           (lines[0].words.size() == 4 || lines[0].words.size() == 6) &&
           std::all_of(lines.begin() + 1,
                       lines.begin() + 5,
                       [](const TableLine& line) { return line.words.size() == 4; }) &&
           std::all_of(lines.begin() + 5, lines.end(), [](const TableLine& line) {
             return line.words.size() == 18;
           });
  };
  if (!isTable())
    PCL_THROW_EXCEPTION(IOException,
                        file << ": is not a colour camera: expected a line of width, "
                                "height, fx, fy, cx, cy and 4 lines of a 4 x 4 matrix");
  ColorCalibration result;
  result.color_camera = cameraOf(lines[0]);
  for (int i = 0; i < 16; ++i)
    result.color_to_depth.matrix()(i / 4, i % 4) =
        static_cast<float>(lines[1 + i / 4].valueAt(i % 4));
  if (result.color_to_depth.matrix().row(3) != Eigen::RowVector4f(0, 0, 0, 1))
    lines[4].fail("the last row of a matrix", "0 0 0 1");
  for (auto line = lines.begin() + 5; line != lines.end(); ++line) {
    FrameCorrection correction;
    const double number = line->valueAt(0);
    if (!(number >= 0.0 && number <= std::numeric_limits<int>::max()))
      line->fail("number of a frame " + line->words[0], "0 or more");
    correction.number = static_cast<int>(number);
    correction.gain = static_cast<float>(line->valueAt(1));
    for (int i = 0; i < 16; ++i)
      correction.motion.matrix()(i / 4, i % 4) =
          static_cast<float>(line->valueAt(2 + i));
    result.corrections.push_back(correction);
  }
  try {
    validateCalibration(result);
  }
  catch (const BadArgumentException& error) {
    PCL_THROW_EXCEPTION(IOException, file << ": " << error.what());
  }
  return result;
}

void
writeColorCalibration(const std::string& folder, const ColorCalibration& calibration)
{
  validateCalibration(calibration);
  checkUnhidden(
      folder, "color_to_depth.txt", {"color_poses.txt", "rgb.txt", "associations.txt"});
  writeFile(inFolder(folder, "color_intrinsics.txt"),
            textOf(calibration.color_camera) + "\n");
  writeFile(inFolder(folder, "color_to_depth.txt"),
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
  writeFile(inFolder(folder, "poses.txt"), text);
}

} // namespace pcl::gpu

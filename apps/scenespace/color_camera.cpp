// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "color_camera.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace pcl::gpu::apps {

namespace {

/** \brief Chooses up to 100 frames from the beginning, every fourth of a long
 * recording. */
ColorCalibrationParameters
calibrationParameters(const RGBDVideo& video)
{
  constexpr int most_frames = 100, most_step = 4;
  ColorCalibrationParameters parameters;
  const int step = std::clamp(video.size() / (most_frames / 2), 1, most_step);
  for (int i = 0; i < video.size() && parameters.frames.size() < most_frames; i += step)
    parameters.frames.push_back(i);
  for (int& gap : parameters.frame_gaps)
    gap = std::max(1, gap / step);
  // Few frames, which are hardly taken 30 times a second.
  if (video.size() < 20)
    parameters.frame_gaps = {1, 2, 3, 5};
  parameters.correct_poses = parameters.correct_exposures = true;
  const RGBDView view = video.view(0);
  // Some 80 points a row, in small images as well.
  if (view.depth_camera.width > 0)
    parameters.point_step = std::clamp(view.depth_camera.width / 80, 2, 8);
  // The folder or the options may give a colour camera that is not that of depth.
  const PinholeCamera &color = view.color_camera, &depth = view.depth_camera;
  if (color.fx != depth.fx || color.fy != depth.fy || color.cx != depth.cx ||
      color.cy != depth.cy)
    parameters.start_camera = color;
  if (!view.color_pose.isApprox(view.depth_pose, 1e-5f))
    parameters.start_color_to_depth = view.depth_pose.inverse() * view.color_pose;
  return parameters;
}

std::string
describe(const ColorCalibration& found)
{
  const PinholeCamera& camera = found.color_camera;
  const ColorCalibrationDeviations& deviations = found.deviations;
  const Eigen::Vector3f place = 1000.0f * found.color_to_depth.translation();
  const Eigen::AngleAxisf turn(found.color_to_depth.linear());
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "focal length " << camera.fx << " (+-"
       << deviations.focal_length << "), principal point " << camera.cx << " (+-"
       << deviations.cx << "), " << camera.cy << " (+-" << deviations.cy
       << ") pixels; place " << place.x() << ", " << place.y() << ", " << place.z()
       << " (+-" << 1000.0f * deviations.translation.maxCoeff() << ") mm, turned by "
       << turn.angle() * 180.0f / static_cast<float>(M_PI) << " degrees; residual "
       << found.residual << " levels";
  return text.str();
}

ColorCalibration
calibrate(const SceneSpaceOptions& options, const RGBDVideo& video)
{
  const auto start = std::chrono::steady_clock::now();
  const ColorCalibrationParameters parameters = calibrationParameters(video);
  const int frames = static_cast<int>(parameters.frames.size());
  const auto fail = [&](const std::string& problem) {
    throw InputError(
        "--calibrate-color: " + options.input + " " + problem +
        ": expected a camera that turns and moves past texture at several depths");
  };
  if (frames < 6)
    fail("has " + std::to_string(frames) +
         " frames, too few to find the colour camera");
  ColorCalibration found =
      asInput([&] { return calibrateColorCamera(video, parameters); });
  if (!found.determined)
    fail("does not determine the colour camera, best guess " + describe(found));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  std::cout << "colour camera of " << frames << " frames in " << std::fixed
            << std::setprecision(1) << elapsed.count() << " s: " << std::defaultfloat
            << describe(found) << "\n";
  return found;
}

} // namespace

RGBDVideo::ConstPtr
withColorCamera(const SceneSpaceOptions& options, const RGBDVideo::ConstPtr& video)
{
  const std::string &file = options.color_camera, &saved = options.save_color_camera;
  checkOption(file.empty() || !options.calibrate_color,
              "--color-camera " + file,
              "it without --calibrate-color");
  checkOption(saved.empty() || options.calibrate_color,
              "--save-color-camera " + saved,
              "it with --calibrate-color");
  if (file.empty() && !options.calibrate_color)
    return video;
  checkOutputFiles({saved});
  ColorCalibration camera = options.calibrate_color
                                ? calibrate(options, *video)
                                : asInput([&] { return readColorCamera(file); });
  // Corrections of poses belong to the frames that took part, not to the camera.
  camera.corrections.clear();
  RGBDVideo::ConstPtr result;
  asOption(options.calibrate_color ? "--calibrate-color" : "--color-camera " + file,
           [&] { result = std::make_shared<CalibratedRGBDVideo>(video, camera); });
  if (!saved.empty())
    writeColorCamera(saved, camera);
  return result;
}

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "color_camera.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/files/output_file.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

namespace pcl::gpu::apps {

namespace {

constexpr int most_frames = 100, most_step = 4; // of a calibration
constexpr int most_corrected = 1000;            // frames of a video
constexpr int least_frames = 6;

/** \brief Sets of frames every one of which takes part, and distances between compared
 * ones. */
void
takeFrames(int count, int step, int most, ColorCalibrationParameters& parameters)
{
  parameters.frames.clear();
  for (int i = 0; i < count && static_cast<int>(parameters.frames.size()) < most;
       i += step)
    parameters.frames.push_back(i);
  parameters.frame_gaps = ColorCalibrationParameters().frame_gaps;
  for (int& gap : parameters.frame_gaps)
    gap = std::max(1, gap / step);
  // Few frames, which are hardly taken 30 times a second.
  if (count < 20)
    parameters.frame_gaps = {1, 2, 3, 5};
}

/** \brief Chooses up to 100 frames from the beginning, every fourth of a long
 * recording. */
ColorCalibrationParameters
calibrationParameters(const RGBDVideo& video)
{
  ColorCalibrationParameters parameters;
  takeFrames(video.size(),
             std::clamp(video.size() / (most_frames / 2), 1, most_step),
             most_frames,
             parameters);
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

double
secondsSince(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/** \brief Finds the camera, and prints it.
 * \param[in] is_required whether a camera that is not determined is an error
 */
ColorCalibration
calibrate(const SceneSpaceOptions& options,
          const RGBDVideo& video,
          const ColorCalibrationParameters& parameters,
          bool is_required)
{
  const auto start = std::chrono::steady_clock::now();
  const int frames = static_cast<int>(parameters.frames.size());
  const auto fail = [&](const std::string& problem) {
    throw InputError(
        "--calibrate-color: " + options.input + " " + problem +
        ": expected a camera that turns and moves past texture at several depths");
  };
  if (is_required && frames < least_frames)
    fail("has " + std::to_string(frames) +
         " frames, too few to find the colour camera");
  ColorCalibration found =
      asInput([&] { return calibrateColorCamera(video, parameters); });
  if (is_required && !found.determined)
    fail("does not determine the colour camera, best guess " + describe(found));
  std::ostringstream time;
  time << std::fixed << std::setprecision(1) << secondsSince(start);
  std::cout << "colour camera of " << frames << " frames in " << time.str()
            << " s: " << describe(found)
            << (found.determined ? "" : ", which is not enough for other recordings")
            << (is_required ? ""
                            : "; the recording does not register depth to colour. "
                              "--save-color-camera FILE keeps the camera")
            << "\n";
  return found;
}

/** \brief Finds the colour camera of a video whose folder does not name it.
 * \return none: depth is registered to colour, or nothing can be said of it
 */
std::optional<ColorCalibration>
calibrateIfApart(const SceneSpaceOptions& options, const RGBDVideo& video)
{
  ColorCalibrationParameters parameters = calibrationParameters(video);
  ColorCalibrationParameters few = parameters;
  // A dozen of the frames.
  const std::size_t step = std::max<std::size_t>(parameters.frames.size() / 12, 1);
  few.frames.clear();
  for (std::size_t i = 0; i < parameters.frames.size(); i += step)
    few.frames.push_back(parameters.frames[i]);
  few.frame_gaps = {1, 2, 3};
  ColorRegistrationCheck check;
  if (few.frames.size() > 1)
    check = asInput([&] { return checkColorRegistration(video, few); });
  if (check.registration == ColorRegistrationState::Apart &&
      parameters.frames.size() >= least_frames) {
    parameters.start_camera = check.start_camera;
    parameters.start_color_to_depth = check.start_color_to_depth;
    return calibrate(options, video, parameters, false);
  }
  if (check.registration != ColorRegistrationState::Registered)
    std::cout << "colour camera: the frames do not show whether depth is registered to "
                 "colour; taken as registered\n";
  return std::nullopt;
}

/** \brief Finds the corrections of all frames, or of 1,000 of them. */
void
correctFrames(const RGBDVideo& video, ColorCalibration& calibration)
{
  ColorCalibrationParameters parameters = calibrationParameters(video);
  const int step = (video.size() - 1) / most_corrected + 1;
  takeFrames(video.size(), step, most_corrected, parameters);
  if (parameters.frames.size() < 2 ||
      parameters.frames.size() == calibration.corrections.size())
    return;
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressBar bar(parameters.frames.size(),
                    "frames whose poses are corrected",
                    "--calibrate-color=off leaves them as they are");
    int shown = 0;
    calibration.corrections = asInput([&] {
      return findFrameCorrections(video, calibration, parameters, [&](int done) {
        for (; shown < done; ++shown)
          bar.step("");
      });
    });
  }
  std::ostringstream time;
  time << std::fixed << std::setprecision(1) << secondsSince(start);
  std::cout << "poses of " << parameters.frames.size() << " frames corrected in "
            << time.str() << " s\n";
}

/** \brief The file of a run's camera, in its output. */
std::string
keptFile(const SceneSpaceOptions& options)
{
  return (std::filesystem::path(options.output) / "color_camera.txt").string();
}

} // namespace

std::optional<ColorCalibration>
chooseColorCamera(const SceneSpaceOptions& options, const RGBDVideo& video)
{
  using Mode = ColorCalibrationMode;
  const std::string &file = options.color_camera, &saved = options.save_color_camera;
  const Mode mode = options.calibrate_color;
  checkOption(file.empty() || mode != Mode::On,
              "--color-camera " + file,
              "it without --calibrate-color");
  checkOutputFiles({saved});
  const std::string kept = keptFile(options);
  const RGBDFolderOptions& folder = options.folder;
  const bool is_named = folder.color_camera.fx != 0.0f ||
                        !folder.color_to_depth.matrix().isIdentity(0.0f) ||
                        namesColorCamera(options.input);
  const bool is_kept = options.sharing.goesOn() && std::filesystem::exists(kept);
  std::optional<ColorCalibration> calibration;
  if (is_kept)
    calibration = asInput([&] { return readColorCamera(kept); });
  else if (!file.empty()) {
    calibration = asInput([&] { return readColorCamera(file); });
    calibration->corrections.clear();
  }
  else if (mode == Mode::On)
    calibration = calibrate(options, video, calibrationParameters(video), true);
  else if (mode == Mode::Auto && !is_named)
    calibration = calibrateIfApart(options, video);
  if (calibration && !is_kept && mode != Mode::Off)
    asOption("--color-camera " + file, [&] { correctFrames(video, *calibration); });
  if (!saved.empty()) {
    ColorCalibration camera;
    if (calibration)
      camera = *calibration;
    else {
      const RGBDView view = video.view(0);
      camera.color_camera = view.color_camera;
      camera.color_to_depth = view.depth_pose.inverse() * view.color_pose;
    }
    // Corrections belong to the frames that took part, not to the camera.
    camera.corrections.clear();
    writeColorCamera(saved, camera);
  }
  return calibration;
}

void
keepColorCamera(const SceneSpaceOptions& options, const ColorCalibration& calibration)
{
  const std::string kept = keptFile(options);
  if (!options.sharing.goesOn() || !std::filesystem::exists(kept))
    writeColorCamera(kept, calibration);
}

} // namespace pcl::gpu::apps

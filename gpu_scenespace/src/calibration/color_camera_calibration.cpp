// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/photometric_minimization.h"
#include "video/frame_checks.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <utility>
#include <vector>

namespace pcl::gpu {

void
ColorCalibrationParameters::validate() const
{
  int least = 0;
  for (const int number : frames) {
    checkArgument(number >= least, "frame", number, "0 or more, and increasing ones");
    least = number + 1;
  }
  checkArgument(!frame_gaps.empty(), "number of gaps", frame_gaps.size(), "1 or more");
  for (const int gap : frame_gaps)
    checkArgument(gap >= 1, "gap", gap, "1 or more");
  checkArgument(point_step >= 2, "step from point to point", point_step, "2 or more");
  if (start_camera.fx != 0.0f || start_camera.fy != 0.0f)
    start_camera.validate();
  validatePose(start_color_to_depth, "colour to depth");
  checkPositive("prior of the focal length", priors.focal_length);
  checkPositive("prior of the principal point", priors.principal_point);
  checkPositive("prior of the rotation", priors.rotation);
  checkPositive("prior of the translation", priors.translation);
  checkPositive("prior of poses' rotation", priors.pose_rotation);
  checkPositive("prior of poses' translation", priors.pose_translation);
  checkPositive("prior of gains", priors.gain);
}

ColorCalibration
calibrateColorCamera(const RGBDVideo& video,
                     const ColorCalibrationParameters& parameters)
{
  PhotometricVideo frames = readPhotometricVideo(video, parameters);
  frames.setStart(parameters);
  PhotometricMinimization minimization(
      frames,
      parameters.priors,
      {true, parameters.correct_poses, parameters.correct_exposures});
  ColorCalibration result;
  for (const BlurLevel& level : blur_levels)
    result.converged = minimization.run(level);

  const PhotometricState& state = minimization.state;
  setSize(result.color_camera, frames.color_camera);
  result.color_camera.fx = result.color_camera.fy =
      static_cast<float>(state.focal_length);
  result.color_camera.cx = static_cast<float>(state.cx);
  result.color_camera.cy = static_cast<float>(state.cy);
  result.color_to_depth = state.depth_to_color.inverse().cast<float>();
  result.corrections = correctionsOf(frames, state);
  std::vector<float> differences = frames.frames.differences(state);
  result.comparisons = differences.size();
  result.residual = deviationOf(std::move(differences));
  minimization.setCertainties(result);
  return result;
}

} // namespace pcl::gpu

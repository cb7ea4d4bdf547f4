// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/photometric_minimization.h"

#include <algorithm>

namespace pcl::gpu {

namespace {

// Chosen on rendered videos of cameras with and without a place of their own. Errors of
// poses are some 2 % of the cost that another camera takes away.
constexpr double least_decrease = 20.0; // of the cost
constexpr double least_part = 0.05;     // of the cost, taken away

// Images that fit differ by less, levels.
constexpr float most_residual = 8.0f;

} // namespace

ColorRegistrationCheck
checkColorRegistration(const RGBDVideo& video,
                       const ColorCalibrationParameters& parameters)
{
  PhotometricVideo frames = readPhotometricVideo(video, parameters);
  const ParameterChoice camera_only = {true, false, false};
  frames.setCamera(frames.color_camera, frames.color_to_depth);
  const PhotometricState own = frames.start;
  frames.frames.prepare(own, certain_level.sigma);
  const double cost = frames.frames.cost(own);

  PhotometricMinimization from_own(frames, parameters.priors, camera_only);
  from_own.run(certain_level);
  frames.setStart(parameters);
  PhotometricMinimization from_start(frames, parameters.priors, camera_only);
  from_start.run(certain_level);

  // On the same points as the video's own camera.
  frames.frames.prepare(own, certain_level.sigma);
  const auto costOf = [&](const PhotometricMinimization& search) {
    return frames.frames.cost(search.state) + search.priorCostOf(search.state);
  };
  const double own_cost = costOf(from_own), start_cost = costOf(from_start);
  const PhotometricMinimization& best = own_cost < start_cost ? from_own : from_start;
  ColorRegistrationCheck check;
  if (own_cost < start_cost) {
    check.start_camera = frames.color_camera;
    check.start_color_to_depth = frames.color_to_depth;
  }
  else {
    check.start_camera = parameters.start_camera;
    check.start_color_to_depth = parameters.start_color_to_depth;
  }
  const double decrease = cost - std::min(own_cost, start_cost);
  if (decrease > std::max(least_decrease, least_part * cost)) {
    if (deviationOf(frames.frames.differences(best.state)) < most_residual)
      check.registration = ColorRegistrationState::Apart;
    return check;
  }
  ColorCalibration certainties;
  from_own.setCertainties(certainties);
  if (certainties.determined)
    check.registration = ColorRegistrationState::Registered;
  return check;
}

} // namespace pcl::gpu

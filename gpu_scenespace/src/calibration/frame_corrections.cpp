// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/photometric_minimization.h"

#include <algorithm>

namespace pcl::gpu {

namespace {

constexpr int frames_at_once = 100; // limits memory, and the size of equations

/** \brief Finds the corrections of some frames, about those that are known. */
std::vector<FrameCorrection>
correctionsOfPart(const RGBDVideo& video,
                  const ColorCalibration& known,
                  const ColorCalibrationParameters& parameters)
{
  const RGBDVideo::ConstPtr shared(&video, [](const RGBDVideo*) {});
  const CalibratedRGBDVideo corrected(shared, known);
  PhotometricVideo frames = readPhotometricVideo(corrected, parameters);
  frames.setCamera(known.color_camera, known.color_to_depth);
  for (std::size_t i = 0; i < frames.numbers.size(); ++i)
    frames.start.gains[i] =
        static_cast<double>(corrected.correction(frames.numbers[i]).gain);
  PhotometricMinimization minimization(frames, parameters.priors, {false, true, true});
  for (const BlurLevel& level : blur_levels)
    minimization.run(level);
  std::vector<FrameCorrection> found = correctionsOf(frames, minimization.state);
  for (FrameCorrection& correction : found)
    correction.motion =
        corrected.correction(correction.number).motion * correction.motion;
  return found;
}

} // namespace

std::vector<FrameCorrection>
findFrameCorrections(const RGBDVideo& video,
                     const ColorCalibration& camera,
                     const ColorCalibrationParameters& parameters,
                     const std::function<void(int done)>& progress)
{
  parameters.validate();
  ColorCalibrationParameters part = parameters;
  const std::vector<int> numbers = frameNumbers(video, parameters);
  const int count = static_cast<int>(numbers.size());
  const int overlap = std::min(
      *std::max_element(parameters.frame_gaps.begin(), parameters.frame_gaps.end()),
      frames_at_once / 2);
  ColorCalibration known = camera;
  known.corrections.clear();
  for (int begin = 0, end = 0; end < count; begin = end - overlap) {
    // The last part has more frames, if there are too few for one of their own.
    end = count - begin <= frames_at_once + overlap ? count : begin + frames_at_once;
    part.frames.assign(numbers.begin() + begin, numbers.begin() + end);
    const std::vector<FrameCorrection> found = correctionsOfPart(video, known, part);
    // A frame is corrected best with frames on both sides.
    const int kept = begin == 0 ? 0 : overlap / 2;
    known.corrections.resize(begin + kept);
    known.corrections.insert(
        known.corrections.end(), found.begin() + kept, found.end());
    if (progress)
      progress(end);
  }
  return known.corrections;
}

} // namespace pcl::gpu

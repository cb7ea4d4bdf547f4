// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/color_camera_calibration.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief A correction between two others.
 * \param[in] part from 0, the first one, to 1
 */
FrameCorrection
between(const FrameCorrection& first, const FrameCorrection& second, float part)
{
  const Eigen::Quaternionf turn(first.motion.linear());
  FrameCorrection result;
  result.motion.linear() =
      turn.slerp(part, Eigen::Quaternionf(second.motion.linear())).toRotationMatrix();
  result.motion.translation() =
      (1.0f - part) * first.motion.translation() + part * second.motion.translation();
  result.gain = (1.0f - part) * first.gain + part * second.gain;
  return result;
}

void
multiply(ColorImage& color, float gain)
{
  std::array<std::uint8_t, 256> levels;
  for (int i = 0; i < 256; ++i)
    levels[i] =
        static_cast<std::uint8_t>(std::min(255.0f, std::round(gain * float(i))));
  for (RGB& pixel : color.pixels)
    pixel = RGB(levels[pixel.r], levels[pixel.g], levels[pixel.b]);
}

} // namespace

CalibratedRGBDVideo::CalibratedRGBDVideo(RGBDVideo::ConstPtr video,
                                         const ColorCalibration& calibration,
                                         bool apply_gains)
: video_(std::move(video))
, calibration_(calibration)
, apply_gains_(apply_gains)
{
  checkVideo(video_);
  validateCalibration(calibration);
  const PinholeCamera& camera = calibration.color_camera;
  for (int i = 0; i < video_->size() && hasSize(camera); ++i) {
    const RGBDView view = video_->view(i);
    if (view.color_camera.width != camera.width ||
        view.color_camera.height != camera.height)
      PCL_THROW_EXCEPTION(BadArgumentException,
                          "calibrated camera's size is "
                              << camera.width << " x " << camera.height
                              << ": expected that of " << frameName(view, i) << ", "
                              << view.color_camera.width << " x "
                              << view.color_camera.height);
  }
}

RGBDView
CalibratedRGBDVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  apply(correction(number), view);
  return view;
}

RGBDFrame
CalibratedRGBDVideo::read(int number) const
{
  RGBDFrame frame = video_->read(number);
  const FrameCorrection correction = this->correction(number);
  apply(correction, frame);
  if (apply_gains_ && correction.gain != 1.0f)
    multiply(frame.color, correction.gain);
  return frame;
}

FrameCorrection
CalibratedRGBDVideo::correction(int number) const
{
  const std::vector<FrameCorrection>& all = calibration_.corrections;
  const auto next = std::lower_bound(
      all.begin(), all.end(), number, [](const FrameCorrection& one, int wanted) {
        return one.number < wanted;
      });
  FrameCorrection result;
  if (all.empty())
    result = {};
  else if (next == all.end())
    result = all.back();
  else if (next == all.begin() || next->number == number)
    result = *next;
  else {
    const FrameCorrection& last = *std::prev(next);
    const float part = static_cast<float>(number - last.number) /
                       static_cast<float>(next->number - last.number);
    result = between(last, *next, part);
  }
  result.number = number;
  return result;
}

void
CalibratedRGBDVideo::apply(const FrameCorrection& correction, RGBDView& view) const
{
  const PinholeCamera camera = view.color_camera;
  view.color_camera = calibration_.color_camera;
  setSize(view.color_camera, camera);
  view.depth_pose = view.depth_pose * correction.motion;
  view.color_pose = view.depth_pose * calibration_.color_to_depth;
}

} // namespace pcl::gpu

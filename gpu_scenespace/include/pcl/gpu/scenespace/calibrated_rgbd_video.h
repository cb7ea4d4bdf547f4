// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/color_calibration.h>

namespace pcl::gpu {

/** \brief A video with the colour camera, the poses and, if asked for, the exposure of a
 * calibration. RegisteredRGBDVideo then has its depth as that colour camera sees it.
 *
 * Frames between those that were corrected get a part of both neighbours' corrections, by
 * their numbers; frames before the first one and after the last one get theirs. Without any,
 * poses and colours stay as they are.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS CalibratedRGBDVideo : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose frames are wanted
   * \param[in] calibration of its colour camera
   * \param[in] apply_gains whether colours are multiplied by their frames' gains: rounded, and
   * at most 255, so that bright ones may lose what tells them apart. Without, colours are those
   * of the video, bit for bit.
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, what
   * validateCalibration() rejects, a camera of another size than the video's
   */
  CalibratedRGBDVideo(RGBDVideo::ConstPtr video,
                      const ColorCalibration& calibration,
                      bool apply_gains = false);

  int
  size() const override;

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

  /** \brief What is applied to a frame, between corrections as well.
   * \param[in] number of the frame, any one; takes time with the logarithm of the number of
   * corrections
   * \return the correction, with this number
   */
  FrameCorrection
  correction(int number) const;

private:
  void
  apply(const FrameCorrection& correction, RGBDView& view) const;

  RGBDVideo::ConstPtr video_;
  ColorCalibration calibration_;
  bool apply_gains_;
};

} // namespace pcl::gpu

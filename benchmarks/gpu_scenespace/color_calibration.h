// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "denoising_video.h"

#include <Eigen/Geometry>

#include <vector>

namespace benchmarks {

/** \brief How a video's colour camera is placed beside its depth camera, and its frames. */
struct ColorCalibration {
  double focal_length = 525.0; ///< pixels
  double cx = 319.5, cy = 239.5;
  /** \brief Takes points of the depth camera's frame into that of the colour camera. */
  Eigen::Isometry3d depth_to_color =
      Eigen::Isometry3d(Eigen::Translation3d(-0.025, 0.0, 0.0));
  std::vector<Eigen::Isometry3d> poses; ///< depth camera-to-world
  std::vector<double> gains;            ///< what colours are multiplied by
  std::vector<double> deviations;       ///< of the parameters that all frames share
  double residual = 0.0;                ///< robust deviation of levels between frames

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief What is estimated. */
struct CalibrationSettings {
  bool poses = false;       ///< a correction of each frame's pose, and its exposure
  int first = 0, last = -1; ///< frames; -1: to the end
};

/** \brief Finds the colour camera for which the colours of the points that depth maps have
 * change least from frame to frame.
 *
 * Minimizes the sum of Huber's function of I_j(pi(M X_j)) - I_i(pi(M X_i)), the brightness
 * of points X of frame i in the colour images of frames i and j, by Levenberg and Marquardt's
 * method, from blurred images to sharp ones; with weak priors about a Kinect's usual values.
 * \param[in] frames of the video, whose depth is not registered
 * \param[in] start where to begin
 * \param[in] settings what to change of it
 */
ColorCalibration
calibrateColor(const std::vector<pcl::gpu::RGBDFrame>& frames,
               const ColorCalibration& start,
               const CalibrationSettings& settings);

/** \brief A video with the cameras and poses of a calibration. */
class CalibratedVideo : public pcl::gpu::RGBDVideo {
public:
  CalibratedVideo(ConstPtr video, const ColorCalibration& calibration);

  int
  size() const override;

  pcl::gpu::RGBDView
  view(int number) const override;

  pcl::gpu::RGBDFrame
  read(int number) const override;

private:
  void
  place(pcl::gpu::RGBDView& view, int number) const;

  ConstPtr video_;
  ColorCalibration calibration_;
};

} // namespace benchmarks

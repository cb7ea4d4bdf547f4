// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "calibration/photometric_equations.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>

#include <Eigen/Core>

#include <vector>

// The search for the colour camera and the frames' poses and gains with the least
// differences of brightness.

namespace pcl::gpu {

/** \brief A blur of the images of a search. */
struct BlurLevel {
  double sigma;  ///< pixels
  int max_steps; ///< the most steps of the search
};

/** \brief From blurred images to sharp ones. */
constexpr BlurLevel blur_levels[] = {{4.0, 12}, {2.0, 12}, {1.0, 16}};

/** \brief Blur for measuring certainties. Sharp images promise too much: small things
 * that do not fit mean no more than noise does. */
constexpr BlurLevel certain_level = blur_levels[0];

/** \brief Frames of a video, and what is known of them before a search. */
struct PhotometricVideo {
  PhotometricFrames frames;
  std::vector<int> numbers;   ///< of the frames in their video
  PhotometricState start;     ///< poses and gains; the camera is yet to be chosen
  PinholeCamera color_camera; ///< of the first frame
  Pose color_to_depth;        ///< of the first frame

  /** \brief Chooses the camera of the start.
   * \param[in] camera whose mean focal length is taken
   */
  void
  setCamera(const PinholeCamera& camera, const Pose& color_to_depth);

  /** \brief Chooses the camera of the start that the parameters name. */
  void
  setStart(const ColorCalibrationParameters& parameters);
};

/** \brief Returns the numbers of the frames that the parameters name: all frames, if
 * they name none. */
std::vector<int>
frameNumbers(const RGBDVideo& video, const ColorCalibrationParameters& parameters);

/** \brief Reads frames of a video one after the other.
 * \throws as calibrateColorCamera()
 */
PhotometricVideo
readPhotometricVideo(const RGBDVideo& video,
                     const ColorCalibrationParameters& parameters);

/** \brief Returns the corrections that a search has found. */
std::vector<FrameCorrection>
correctionsOf(const PhotometricVideo& video, const PhotometricState& found);

/** \brief Returns the robust standard deviation of numbers whose sizes are known; NaN
 * of none. */
float
deviationOf(std::vector<float> sizes);

/** \brief Choice of the parameters that are estimated. */
struct ParameterChoice {
  bool camera, poses, gains;

  bool
  isFree(Eigen::Index parameter) const
  {
    if (parameter < shared_parameters)
      return camera;
    return (parameter - shared_parameters) % frame_parameters < 6 ? poses : gains;
  }
};

/** \brief The search for the minimum. */
class PhotometricMinimization {
public:
  PhotometricState state;

  /** \brief Begins a search.
   * \param[in] video outlives the search; its images are blurred
   * \param[in] priors distances of the result from the video's start
   */
  PhotometricMinimization(PhotometricVideo& video,
                          const ColorCalibrationPriors& priors,
                          const ParameterChoice& choice);

  /** \brief Minimizes by Levenberg and Marquardt's method.
   * \return whether another step would change next to nothing
   */
  bool
  run(const BlurLevel& level);

  /** \brief Returns the cost of a state's distance from the start. */
  double
  priorCostOf(const PhotometricState& state) const;

  /** \brief Moves each of the shared parameters away from the minimum, and measures the
   * growth of the cost.
   * \param[out] calibration gets deviations, and whether the frames determine enough
   */
  void
  setCertainties(ColorCalibration& calibration);

private:
  /** \brief The cost without its derivatives, which takes less time. */
  double
  costOf(const PhotometricState& state) const;

  PhotometricSums
  sumsOf(const PhotometricState& state) const;

  PhotometricFrames& frames_;
  PhotometricState start_;
  ParameterChoice choice_;
  Eigen::Index parameters_;
  Eigen::ArrayXd information_; ///< of the priors
  PhotometricSums sums_;
};

} // namespace pcl::gpu

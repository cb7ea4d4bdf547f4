// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief How a frame of a video is to be changed so that it fits to others.
 *
 * \ingroup gpu_scenespace
 */
struct FrameCorrection {
  int number = 0; ///< of the frame in its video
  /** \brief What the depth camera's pose is multiplied by, on its right: the corrected
   * depth camera's frame to that of the uncorrected one; metres. */
  Pose motion = Pose::Identity();
  float gain = 1.0f; ///< what the levels of colours are multiplied by

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Standard deviations of a colour camera's parameters.
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibrationDeviations {
  float focal_length = 0.0f; ///< pixels
  float cx = 0.0f;           ///< pixels
  float cy = 0.0f;           ///< pixels
  /** \brief Of the turn from the depth camera to the colour camera, about the colour camera's
   * axes, radians. */
  Eigen::Vector3f rotation = Eigen::Vector3f::Zero();
  /** \brief Of the depth camera's origin, along the colour camera's axes, metres. */
  Eigen::Vector3f translation = Eigen::Vector3f::Zero();
};

/** \brief A colour camera and its place beside the depth camera, and what is wrong with the
 * frames of a video; ColorCameraCalibration finds it.
 *
 * \ingroup gpu_scenespace
 */
struct ColorCalibration {
  /** \brief Intrinsics of colour; fx is fy where they were estimated. A size of 0 is that of
   * the video. */
  PinholeCamera color_camera;
  /** \brief Colour camera to depth camera, as RGBDFolderOptions has it; metres. */
  Pose color_to_depth = Pose::Identity();
  /** \brief Of the frames that took part, by increasing numbers; without changes if none was
   * asked for. */
  std::vector<FrameCorrection> corrections;

  /** \brief How far the parameters can be trusted: what the frames tell, and the priors. */
  ColorCalibrationDeviations deviations;
  /** \brief Robust standard deviation of the difference in brightness between observations of
   * a point in two frames, levels of 0 to 255; NaN where no point was seen twice. */
  float residual = 0.0f;
  std::size_t comparisons = 0; ///< number of these differences
  bool converged = false;      ///< whether more steps would change next to nothing
  /** \brief Whether the frames tell the camera's intrinsics and its rotation. If not, values are
   * what the estimation began with and what noise has made of that: do not use them. */
  bool determined = false;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Rejects calibrations that no video has.
 * \param[in] calibration the camera, its place and the corrections; what tells of an
 * estimation is not looked at
 * \throws pcl::BadArgumentException naming the parameter and its value: a camera or a motion
 * that is none, numbers of frames that are negative or do not increase, a gain that is not
 * finite and positive
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
validateCalibration(const ColorCalibration& calibration);

/** \brief Writes a colour camera and its place to the tables color_intrinsics.txt and
 * color_to_depth.txt of a video's folder, where openRGBDFolder() finds them.
 *
 * Each file appears when it is complete, in place of one that is there. Corrections of poses
 * are not written: see writeDepthPoses().
 *
 * \param[in] folder of colour and depth, or in the format of 7-Scenes
 * \param[in] calibration the camera and its place
 * \throws pcl::BadArgumentException as validateCalibration()
 * \throws pcl::IOException naming the file and the reason: one that cannot be written; files of
 * the folder for which the tables would not be read, color_poses.txt and those of the TUM
 * benchmark's format. Then nothing is written.
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeColorCalibration(const std::string& folder, const ColorCalibration& calibration);

/** \brief Writes times and poses of the depth camera to the table poses.txt of a video's
 * folder, where openRGBDFolder() finds them. So poses are kept that CalibratedRGBDVideo has
 * corrected.
 *
 * The file appears when it is complete, in place of one that is there: keep a copy of poses
 * that you may want again.
 *
 * \param[in] folder of colour and depth, or in the format of 7-Scenes
 * \param[in] video whose frames are those of the folder
 * \throws pcl::BadArgumentException naming the number of frames, if there is none
 * \throws pcl::IOException naming the file and the reason: one that cannot be written; files of
 * the TUM benchmark's format, for which the table would not be read. Then nothing is written.
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeDepthPoses(const std::string& folder, const RGBDVideo& video);

} // namespace pcl::gpu

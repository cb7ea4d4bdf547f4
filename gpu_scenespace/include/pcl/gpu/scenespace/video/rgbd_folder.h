// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video_files.h>

#include <cstdint>
#include <optional>
#include <string>

namespace pcl::gpu {

/** \brief Options of openRGBDFolder(), for data that files lack or have otherwise.
 *
 * \ingroup gpu_scenespace
 */
struct RGBDFolderOptions {
  /** \brief Intrinsics of depth; a focal length of 0: those of the folder, or of its
   * format.
   */
  PinholeCamera depth_camera;
  /** \brief Intrinsics of colour; a focal length of 0: those of the folder, or of
   * depth. */
  PinholeCamera color_camera;
  /** \brief Pose of the colour camera in the frame of the depth camera: colour camera
   * to depth camera; identity: as the folder says, or the same place. */
  Pose color_to_depth = Pose::Identity();
  float depth_unit = 0.0f; ///< metres; 0: that of the folder, or of its format
  /** \brief Value of depth files that is missing, as clearMissingDepth() takes it. */
  std::optional<std::uint16_t> missing_depth;
  float frame_rate = 30.0f;     ///< frames a second, where the folder has no times
  float max_time_apart = 0.02f; ///< of colour, depth and pose of a frame, seconds

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Opens a folder of an RGB-D video in one of these formats.
 *
 * - TUM RGB-D benchmark: rgb.txt, depth.txt and groundtruth.txt, or associations.txt
 *   instead of the first two, whose lines name colour first or, as ICL-NUIM's, depth.
 *   Colour and depth belong together as the benchmark's associate.py finds. Poses are
 *   those of the colour camera, and are interpolated. Units of 0.2 mm, intrinsics 525,
 *   525, 319.5, 239.5.
 * - Colour and depth: folders color (or rgb, colour) of PNG or JPEG images and depth of
 *   16-bit PNG depth maps, as many of both, which belong together in the order of their
 *   names (9.png before 10.png), and the tables poses.txt and intrinsics.txt.
 * - 7-Scenes: NAME.color.png (or .jpg, .jpeg), NAME.depth.png and NAME.pose.txt, 4 x 4,
 *   of the depth camera, or the table poses.txt instead of these. Intrinsics 585, 585,
 *   320, 240 if there is no table intrinsics.txt.
 * - PCD files of organized clouds with colour, in the order of their names, each in the
 *   frame of its camera. Poses are their viewpoints without a table poses.txt. Without
 *   intrinsics.txt the first cloud's points determine the camera, by least squares.
 *   Depth and colour have one camera: tables and options of colour are ignored.
 *
 * Tables are text files with a line for each frame, in the frames' order; lines that
 * begin with # are comments. Those of the last three formats:
 * - poses.txt: the depth camera's poses, camera-to-world. Either the 16 entries of a
 *   matrix, row by row, or the first 12 of them, after the name of the frame or the
 *   number at its end, if the lines are in another order. Or time, position and
 *   quaternion, as the TUM benchmark has them: t x y z qx qy qz qw.
 * - intrinsics.txt: the depth camera's fx, fy, cx, cy; before them width and height,
 *   and behind them the depth unit in metres, or 1 mm without, the same in all lines.
 *   There may be one line for all frames.
 * - color_poses.txt, color_intrinsics.txt: the same of the colour camera, where it is
 *   not that of depth; times and depth units in them mean nothing. Instead of
 *   color_poses.txt there may be color_to_depth.txt with the 16 entries of
 *   RGBDFolderOptions::color_to_depth, or the first 12 of them and a line break.
 *
 * \param[in] folder its name
 * \param[in] options data in place of the folder's
 * \return the video
 * \throws pcl::IOException naming the file and the line, or the frame: a folder of no
 * format, a file that is missing or cannot be understood, a frame without colour or
 * pose, or with a camera, pose or time that RGBDVideoFiles refuses
 * \throws pcl::BadArgumentException naming an option and its value
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS RGBDVideo::ConstPtr
openRGBDFolder(const std::string& folder, const RGBDFolderOptions& options = {});

/** \brief Returns whether a folder's format or one of its tables says where the colour
 * camera is: the TUM benchmark's and clouds, or a folder with color_poses.txt,
 * color_intrinsics.txt or color_to_depth.txt, which writeRGBDFolder() writes. Of
 * other folders openRGBDFolder() takes the depth camera's for it, which
 * checkColorRegistration() can check.
 * \param[in] folder of a format that openRGBDFolder() opens
 * \return whether it names the colour camera
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS bool
namesColorCamera(const std::string& folder);

} // namespace pcl::gpu

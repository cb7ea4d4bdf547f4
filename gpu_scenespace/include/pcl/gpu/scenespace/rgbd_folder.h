// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video_files.h>

#include <string>

namespace pcl {
namespace gpu {

/** \brief What the files of an RGB-D video do not say, or say otherwise.
 *
 * \ingroup gpu_scenespace
 */
struct RGBDFolderOptions {
  /** \brief Intrinsics of depth; a focal length of 0: those of the folder, or of its format.
   */
  PinholeCamera depth_camera;
  /** \brief Intrinsics of colour; a focal length of 0: those of depth. */
  PinholeCamera color_camera;
  /** \brief Where the colour camera is from the depth camera: colour camera to depth camera.
   */
  Pose color_to_depth = Pose::Identity();
  float depth_unit = 0.0f;      ///< metres; 0: that of the folder, or of its format
  float frame_rate = 30.0f;     ///< frames a second, where the format has no times
  float max_time_apart = 0.02f; ///< of colour, depth and pose of a frame, seconds

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Opens a folder of an RGB-D video, whichever of these formats it has.
 *
 * - TUM RGB-D benchmark: rgb.txt, depth.txt and groundtruth.txt, or associations.txt instead of
 *   the first two. Colour and depth belong together as the benchmark's associate.py finds;
 *   poses, which are those of the colour camera, are interpolated. Units of 0.2 mm, intrinsics
 *   525, 525, 319.5, 239.5.
 * - 7-Scenes: NAME.color.png (or .jpg, .jpeg), NAME.depth.png and NAME.pose.txt, 4 x 4, of the
 *   depth camera. Units of 1 mm, intrinsics 585, 585, 320, 240. Instead of the files of poses,
 *   there may be one, poses.txt, with lines of a frame's number and the 16 entries of its
 *   matrix. Intrinsics may be in intrinsics.txt: width, height, fx, fy, cx, cy, depth unit.
 *
 * \param[in] folder its name
 * \param[in] options what is known otherwise
 * \return the video
 * \throws pcl::IOException naming the file and the line, or the frame: a folder of no format, a
 * file that is missing or cannot be understood, a frame without colour or pose
 * \throws pcl::BadArgumentException naming what RGBDVideoFiles rejects, or an option and its
 * value
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS RGBDVideo::ConstPtr
openRGBDFolder(const std::string& folder, const RGBDFolderOptions& options = {});

} // namespace gpu
} // namespace pcl

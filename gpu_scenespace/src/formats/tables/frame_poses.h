// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "formats/tables/table_file.h"

#include <pcl/gpu/scenespace/video/rgbd_video_files.h>
#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Reads a pose: the 16 entries of its matrix, row by row, or the first 12 and a
 * line break.
 * \throws pcl::IOException naming the file, if it cannot be read or has another number
 * of them
 */
Pose
readPoseFile(const std::string& file);

/** \brief A pose at a time. */
struct TimedPose {
  /** \brief Reads a line of time, position and quaternion: t x y z qx qy qz qw.
   * \throws pcl::IOException naming file and line
   */
  explicit TimedPose(const TableLine& line);

  /** \brief A pose between this one and a later one.
   * \param[in] later the other one
   * \param[in] part from 0, this one, to 1
   */
  Pose
  towards(const TimedPose& later, double part) const;

  double time; ///< seconds
  Eigen::Vector3d position;
  Eigen::Quaterniond orientation;
};

/** \brief Poses of a video's frames. */
struct FramePoses {
  std::vector<Pose> poses;   ///< of each frame
  std::vector<double> times; ///< of each frame, seconds; empty if the file has none
};

/** \brief Reads a text file with a line for each frame: 16 or 12 entries of a matrix,
 * before which there may be the frame's name or its number; or time, position and
 * quaternion, t x y z qx qy qz qw.
 * \param[in] file its name
 * \param[in] frames whose names are known
 * \return a pose for each frame
 * \throws pcl::IOException naming the file and the line, or the frame that has no pose
 */
FramePoses
readFramePoses(const std::string& file,
               const std::vector<RGBDVideoFiles::Frame>& frames);

} // namespace pcl::gpu

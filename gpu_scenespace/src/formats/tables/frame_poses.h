// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "formats/tables/table_file.h"

#include <pcl/gpu/utils/pose.h>

#include <map>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Reads a pose: the 16 entries of its matrix, row by row, or the first 12.
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

/** \brief Poses of a video's frames, from a text file with a line for each of them.
 *
 * A line has 16 or 12 entries of a matrix, before which there may be the frame's name
 * or its number; or time, position and quaternion, t x y z qx qy qz qw.
 */
class FramePoses {
public:
  /** \brief Reads the file.
   * \param[in] file its name
   * \param[in] frames number of frames, and of lines without names
   * \throws pcl::IOException naming the file and the line
   */
  FramePoses(const std::string& file, std::size_t frames);

  /** \brief The pose of a frame.
   * \param[in] place of the frame, from 0
   * \param[in] name of the frame
   * \throws pcl::IOException naming the file and the frame, if there is none
   */
  const Pose&
  at(std::size_t place, const std::string& name) const;

  std::vector<double> times; ///< of the frames, seconds; empty if the file has none

private:
  std::string file_;
  std::vector<Pose> poses_;
  std::map<std::string, std::size_t>
      lines_; ///< of names and numbers; empty without them
};

} // namespace pcl::gpu

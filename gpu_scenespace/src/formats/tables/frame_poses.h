// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <map>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Reads a pose: the 16 entries of its matrix, row by row, or the first 12.
 * \throws pcl::IOException naming the file, if it cannot be read or has another number of them
 */
Pose
readPoseFile(const std::string& file);

/** \brief Poses of a video's frames, from a text file with a line for each of them.
 *
 * A line has 16 or 12 entries of a matrix, before which there may be the frame's name or its
 * number; or time, position and quaternion, t x y z qx qy qz qw.
 */
class FramePoses {
public:
  /** \brief Reads the file.
   * \param[in] file its name
   * \param[in] frames how many frames there are; lines without names are as many
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

  /** \brief The time of each frame, seconds; empty where the file has no times. */
  const std::vector<double>&
  times() const
  {
    return times_;
  }

private:
  std::string file_;
  std::vector<Pose> poses_;
  std::vector<double> times_;
  std::map<std::string, std::size_t>
      lines_; ///< of names and numbers; empty without them
};

} // namespace pcl::gpu

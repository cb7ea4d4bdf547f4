// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace pcl::gpu {

struct TableLine;

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

/** \brief Poses at some times, and between them. */
class Trajectory {
public:
  /** \brief Reads lines of time, position and quaternion (t x y z qx qy qz qw), in any
   * order.
   * \throws pcl::IOException naming file and line
   */
  explicit Trajectory(const std::string& file);

  /** \brief The pose at a time, between those before and after it.
   * \param[in] time seconds
   * \param[in] max_apart how far away the nearer of both may be, seconds
   * \param[out] pose untouched if there is none
   * \return whether there is one
   */
  bool
  at(double time, double max_apart, Pose& pose) const;

private:
  std::vector<TimedPose> samples_; // in the order of time
};

} // namespace pcl::gpu

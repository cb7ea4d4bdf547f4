// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/trajectory.h"

#include "formats/tables/table_file.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

TimedPose::TimedPose(const TableLine& line)
{
  double v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = line.valueAt(i);
  time = v[0];
  position = Eigen::Vector3d(v[1], v[2], v[3]);
  orientation = Eigen::Quaterniond(v[7], v[4], v[5], v[6]);
  if (std::abs(orientation.norm() - 1.0) > 0.01)
    line.fail("a quaternion of length " + std::to_string(orientation.norm()), "1");
  orientation.normalize();
}

Pose
TimedPose::towards(const TimedPose& later, double part) const
{
  Eigen::Isometry3d between = Eigen::Isometry3d::Identity();
  between.linear() = orientation.slerp(part, later.orientation).toRotationMatrix();
  between.translation() = position + part * (later.position - position);
  return between.cast<float>();
}

Trajectory::Trajectory(const std::string& file)
{
  for (const TableLine& line : readTable(file))
    samples_.emplace_back(line);
  std::stable_sort(
      samples_.begin(), samples_.end(), [](const TimedPose& a, const TimedPose& b) {
        return a.time < b.time;
      });
}

bool
Trajectory::at(double time, double max_apart, Pose& pose) const
{
  const auto after = std::lower_bound(
      samples_.begin(), samples_.end(), time, [](const TimedPose& sample, double t) {
        return sample.time < t;
      });
  const bool has_after = after != samples_.end(),
             has_before = after != samples_.begin();
  if (!has_after && !has_before)
    return false;
  const TimedPose& later = has_after ? *after : *(after - 1);
  const TimedPose& earlier = has_before ? *(after - 1) : *after;
  const double apart =
      std::min(std::abs(later.time - time), std::abs(time - earlier.time));
  if (apart > max_apart)
    return false;
  const double span = later.time - earlier.time;
  const double part = span > 0.0 ? (time - earlier.time) / span : 0.0;
  pose = earlier.towards(later, part);
  return true;
}

} // namespace pcl::gpu

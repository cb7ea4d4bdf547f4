// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "trajectory.h"

#include "table_file.h"

#include <algorithm>
#include <cmath>

namespace pcl {
namespace gpu {

Trajectory::Trajectory(const std::string& file)
{
  for (const TableLine& line : readTable(file)) {
    double v[8];
    for (int i = 0; i < 8; ++i)
      v[i] = line.valueAt(i);
    const Eigen::Quaterniond orientation(v[7], v[4], v[5], v[6]);
    if (std::abs(orientation.norm() - 1.0) > 0.01)
      line.fail("a quaternion of length " + std::to_string(orientation.norm()), "1");
    samples_.push_back(
        {v[0], Eigen::Vector3d(v[1], v[2], v[3]), orientation.normalized()});
  }
  std::stable_sort(samples_.begin(),
                   samples_.end(),
                   [](const Sample& a, const Sample& b) { return a.time < b.time; });
}

bool
Trajectory::at(double time, double max_apart, Pose& pose) const
{
  const auto after = std::lower_bound(
      samples_.begin(), samples_.end(), time, [](const Sample& sample, double t) {
        return sample.time < t;
      });
  const bool has_after = after != samples_.end(),
             has_before = after != samples_.begin();
  if (!has_after && !has_before)
    return false;
  const Sample& later = has_after ? *after : *(after - 1);
  const Sample& earlier = has_before ? *(after - 1) : *after;
  const double apart =
      std::min(std::abs(later.time - time), std::abs(time - earlier.time));
  if (apart > max_apart)
    return false;
  const double span = later.time - earlier.time;
  const double part = span > 0.0 ? (time - earlier.time) / span : 0.0;
  Eigen::Isometry3d between = Eigen::Isometry3d::Identity();
  between.linear() =
      earlier.orientation.slerp(part, later.orientation).toRotationMatrix();
  between.translation() = earlier.position + part * (later.position - earlier.position);
  pose = between.cast<float>();
  return true;
}

} // namespace gpu
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/pose.h>

namespace pcl {
namespace gpu {

void
validatePose(const Pose& pose, const char* name)
{
  const Eigen::Matrix3f rotation = pose.linear();
  const bool rigid = pose.matrix().allFinite() &&
                     (rotation.transpose() * rotation).isIdentity(1e-3f) &&
                     rotation.determinant() > 0.0f;
  checkArgument(
      rigid,
      name,
      "[" +
          [&] {
            std::ostringstream rows;
            rows << pose.matrix().format(
                Eigen::IOFormat(Eigen::StreamPrecision, 0, " ", "; "));
            return rows.str();
          }() +
          "]",
      "a rotation and a translation");
}

} // namespace gpu
} // namespace pcl

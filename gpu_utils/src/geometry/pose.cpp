// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/pose.h>

namespace pcl::gpu {

void
validatePose(const Pose& pose, const char* name)
{
  const Eigen::Matrix3f rotation = pose.linear();
  const bool rigid = pose.matrix().allFinite() &&
                     (rotation.transpose() * rotation).isIdentity(1e-3f) &&
                     rotation.determinant() > 0.0f;
  const Eigen::IOFormat in_a_line(
      Eigen::StreamPrecision, Eigen::DontAlignCols, " ", "; ", "", "", "[", "]");
  checkArgument(
      rigid, name, pose.matrix().format(in_a_line), "a rotation and a translation");
}

Pose
lookAt(const Eigen::Vector3f& eye,
       const Eigen::Vector3f& target,
       const Eigen::Vector3f& up)
{
  checkArgument(eye.allFinite(), "eye", eye.transpose(), "finite numbers");
  checkArgument(target.allFinite(), "target", target.transpose(), "finite numbers");
  checkArgument(up.allFinite(), "up", up.transpose(), "finite numbers");
  const Eigen::Vector3d view = (target.cast<double>() - eye.cast<double>());
  checkArgument(view.norm() > 0.0, "eye", eye.transpose(), "a point off the target");

  const Eigen::Vector3d forward = view.normalized();
  Eigen::Vector3d right = forward.cross(up.cast<double>().normalized());
  if (right.norm() < 1e-4) {
    int farthest_axis;
    forward.cwiseAbs().minCoeff(&farthest_axis);
    right = forward.cross(Eigen::Vector3d::Unit(farthest_axis));
  }
  right.normalize();
  Eigen::Isometry3d pose;
  pose.linear() << right, forward.cross(right), forward;
  pose.translation() = eye.cast<double>();
  pose.makeAffine();
  return pose.cast<float>();
}

} // namespace pcl::gpu

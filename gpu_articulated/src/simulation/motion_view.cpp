// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/motion_view.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

void
checkPoses(const std::vector<std::vector<float>>& poses)
{
  checkArgument(!poses.empty(), "number of poses", poses.size(), "1 or more");
  for (const std::vector<float>& pose : poses)
    checkArgument(pose.size() >= Skeleton::root_size,
                  "size of a pose",
                  pose.size(),
                  "position and orientation of the root");
}

Vector3f
rootOf(const std::vector<float>& pose)
{
  return {pose[0], pose[1], pose[2]};
}

/** \brief Returns whether a camera sees all that is within reach of a root. */
bool
sees(const PinholeCamera& camera,
     const Pose& camera_pose,
     const Vector3f& root,
     float reach)
{
  const Vector3f p = camera_pose.inverse() * root;
  const auto inside = [&p, reach](float slope, float offset) {
    // The distance from a side of the image's pyramid.
    return (p.z() * slope - offset) / std::hypot(1.0f, slope) > reach;
  };
  return inside(camera.cx / camera.fx, -p.x()) &&
         inside((camera.width - 1 - camera.cx) / camera.fx, p.x()) &&
         inside(camera.cy / camera.fy, -p.y()) &&
         inside((camera.height - 1 - camera.cy) / camera.fy, p.y());
}

} // namespace

Eigen::Vector3f
centerOfMotion(const std::vector<std::vector<float>>& poses)
{
  checkPoses(poses);
  Eigen::AlignedBox3f path;
  for (const std::vector<float>& pose : poses)
    path.extend(rootOf(pose));
  return path.center();
}

Pose
viewOfMotion(const PinholeCamera& camera,
             const std::vector<std::vector<float>>& poses,
             const Eigen::Vector3f& target,
             float reach)
{
  camera.validate();
  checkPositive("reach", reach);
  checkArgument(camera.width > 0, "width", camera.width, "1 or more");
  checkArgument(camera.height > 0, "height", camera.height, "1 or more");
  checkPoses(poses);
  Vector3f facing = Vector3f::Zero();
  for (const std::vector<float>& pose : poses)
    facing +=
        Eigen::Quaternionf(pose[3], pose[4], pose[5], pose[6]) * Vector3f::UnitZ();
  facing.y() = 0.0f;
  if (facing.norm() < 1e-3f * static_cast<float>(poses.size()))
    facing = Vector3f::UnitZ();
  const Vector3f away =
      Eigen::AngleAxisf(0.5f, Vector3f::UnitY()) * facing.normalized() +
      0.15f * Vector3f::UnitY();
  Pose view = Pose::Identity();
  // Those of a person, in metres.
  for (float distance = 2.0f; distance < 30.0f; distance += 0.1f) {
    view = lookAt(target + distance * reach / 1.1f * away.normalized(), target);
    const auto isSeen = [&](const std::vector<float>& pose) {
      return sees(camera, view, rootOf(pose), reach);
    };
    if (std::all_of(poses.begin(), poses.end(), isSeen))
      break;
  }
  return view;
}

} // namespace pcl::gpu

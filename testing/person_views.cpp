// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/person_views.h"

#include <pcl/gpu/articulated/forward_kinematics.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

using Eigen::Quaternionf;
using Eigen::Vector3f;

namespace {

/** \brief Returns the height of the lowest joint above the root, y up. */
float
lowestJoint(const Skeleton::ConstPtr& skeleton, std::vector<float> pose)
{
  std::fill_n(pose.begin(), 3, 0.0f);
  DeviceArray<float> device_pose;
  device_pose.upload(pose);
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<PointXYZ> device_joints;
  kinematics.computeJoints(device_pose, device_joints);
  std::vector<PointXYZ> joints;
  device_joints.download(joints);
  return std::min_element(
             joints.begin(),
             joints.end(),
             [](const PointXYZ& a, const PointXYZ& b) { return a.y < b.y; })
      ->y;
}

} // namespace

PersonViews::PersonViews(const std::string& clip, ViewSide side, std::uint64_t seed)
: clip_(clip)
, side_(side)
, random_(seed)
, noise_(1.0, seed)
{}

float
PersonViews::between(float least, float most)
{
  return least + (most - least) * static_cast<float>(random_() % 10000) / 9999.0f;
}

PersonView
PersonViews::next()
{
  const PinholeCamera camera{262.5f, 262.5f, 159.5f, 119.5f, 320, 240};
  const RecordedPerson person = readRecordedPerson(clip_, between(0.95f, 1.15f));
  std::vector<float> pose = person.motion.poses[random_() % person.motion.poses.size()];
  const Quaternionf recorded(pose[3], pose[4], pose[5], pose[6]);
  const Vector3f forward = recorded * Vector3f::UnitZ();
  const bool is_top = side_ == ViewSide::Top;
  const float half_turn = static_cast<float>(M_PI);
  const float most_turn = is_top ? half_turn : half_turn / 3.0f;
  const float turn =
      between(-most_turn, most_turn) - std::atan2(forward.x(), forward.z());
  constexpr float skin = 0.03f; // below the lowest joint
  const float hips = skin - lowestJoint(person.skeleton, pose); // above the floor
  PersonView view;
  Vector3f place;
  float floor; // distance from the camera
  if (is_top) {
    floor = between(2.7f, 3.0f);
    view.up = -Vector3f::UnitZ();
    place = {between(-0.7f, 0.7f), between(-0.5f, 0.5f), floor - hips};
  }
  else {
    floor = 1.1f;
    view.up = -Vector3f::UnitY();
    const float depth = between(2.2f, 3.5f);
    place = {depth * between(-0.3f, 0.3f), floor - hips, depth};
  }
  view.floor = -floor;
  const Quaternionf orientation =
      (is_top ? Quaternionf::FromTwoVectors(Vector3f::UnitY(), view.up)
              : Quaternionf(Eigen::AngleAxisf(half_turn, Vector3f::UnitX()))) *
      Eigen::AngleAxisf(turn, Vector3f::UnitY()) * recorded;
  Vector3f::Map(pose.data()) = place;
  pose[3] = orientation.w();
  Vector3f::Map(pose.data() + 4) = orientation.vec();
  view.joints = nameJoints(JointConvention::Itop, *person.skeleton, pose);

  const auto rayOf = [&](std::size_t pixel) {
    const auto column = static_cast<float>(pixel % camera.width);
    const auto row = static_cast<float>(pixel / camera.width);
    return Vector3f(
        (column - camera.cx) / camera.fx, (row - camera.cy) / camera.fy, 1.0f);
  };
  constexpr float wall = 4.8f;
  const auto depthOfRoom = [&](const Vector3f& ray) {
    if (is_top)
      return floor;
    return ray.y() > 0.0f ? std::min(wall, floor / ray.y()) : wall;
  };
  std::vector<float> depths = renderBody(person.skeleton, pose, camera);
  for (std::size_t i = 0; i < depths.size(); ++i)
    depths[i] = std::fmin(depths[i], depthOfRoom(rayOf(i)));
  const std::vector<float> noisy = noise_.apply(depths, camera.width);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const Vector3f ray = rayOf(i);
    const float depth = depthOfRoom(ray);
    const Vector3f point = noisy[i] * ray;
    if (!std::isfinite(noisy[i]))
      continue;
    constexpr float reach = 1.3f; // metres
    if (noisy[i] < depth - 0.03f - 0.006f * depth * depth)
      view.body.emplace_back(point.x(), point.y(), point.z());
    else if ((place.z() * ray - place).norm() < reach)
      view.room.emplace_back(point.x(), point.y(), point.z());
  }
  return view;
}

} // namespace pcl::gpu::test

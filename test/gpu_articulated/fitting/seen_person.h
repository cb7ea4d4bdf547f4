// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"
#include "testing/people_room.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace pcl::gpu::test {

using Eigen::Vector3f;

/** \brief Returns the pose of a standing person with the arms down. */
inline std::vector<float>
standingPoseAt(const Skeleton& human, const Vector3f& up, const Vector3f& hips)
{
  std::vector<float> pose = human.restPose();
  for (const char* const arm : {"LeftArm", "RightArm"})
    pose[human.angleIndex(human.findJoint(arm))] = -1.3f;
  Vector3f::Map(pose.data()) = hips;
  const auto upright = Eigen::Quaternionf::FromTwoVectors(Vector3f::UnitY(), up);
  pose[3] = upright.w();
  Vector3f::Map(pose.data() + 4) = upright.vec();
  return pose;
}

/** \brief Turns a body about its vertical axis. */
inline void
turn(std::vector<float>& pose, float angle)
{
  const Eigen::Quaternionf turned =
      Eigen::Quaternionf(pose[3], pose[4], pose[5], pose[6]) *
      Eigen::AngleAxisf(angle, Vector3f::UnitY());
  pose[3] = turned.w();
  Vector3f::Map(pose.data() + 4) = turned.vec();
}

/** \brief Turn of the person that seenPerson() renders, radians. */
constexpr float seen_turn = 2.2f;

/** \brief Returns the points of a body that a camera at the origin sees. */
inline std::vector<pcl::PointXYZ>
seenPoints(const Skeleton& human, const std::vector<float>& pose)
{
  std::vector<pcl::PointXYZ> points;
  const PinholeCamera camera{131.0f, 131.0f, 79.5f, 59.5f, 160, 120};
  const std::vector<float> depths =
      renderBody(std::make_shared<Skeleton>(human), pose, camera);
  for (std::size_t i = 0; i < depths.size(); ++i)
    if (std::isfinite(depths[i])) {
      const auto column = static_cast<float>(i % camera.width);
      const auto row = static_cast<float>(i / camera.width);
      points.emplace_back((column - camera.cx) / camera.fx * depths[i],
                          (row - camera.cy) / camera.fy * depths[i],
                          depths[i]);
    }
  return points;
}

/** \brief A person seen by a camera. */
struct SeenPerson {
  std::vector<float> pose;
  std::vector<pcl::PointXYZ> points;
};

/** \brief Renders a person with a raised arm and a bent knee, turned to the side.
 * \param[in] human the person
 * \param[in] up direction in the camera's frame
 * \param[in] hips place in the camera's frame, metres
 */
inline SeenPerson
seenPerson(const Skeleton& human, const Vector3f& up, const Vector3f& hips)
{
  SeenPerson seen{standingPoseAt(human, up, hips), {}};
  const auto bend = [&](const char* joint, int angle, float by) {
    seen.pose[human.angleIndex(human.findJoint(joint)) + angle] += by;
  };
  bend("LeftArm", 0, 1.6f);
  bend("RightUpLeg", 0, 0.6f);
  bend("RightLeg", 0, 0.8f);
  turn(seen.pose, seen_turn);
  seen.points = seenPoints(human, seen.pose);
  return seen;
}

inline const std::vector<const char*> all_joints = {"Head",
                                                    "LeftArm",
                                                    "RightArm",
                                                    "LeftForeArm",
                                                    "LeftHand",
                                                    "LeftUpLeg",
                                                    "RightUpLeg",
                                                    "LeftLeg",
                                                    "RightLeg"};

/** \brief Returns the greatest distance of some joints in two poses, metres. */
inline float
greatestError(const Skeleton& human,
              const std::vector<const char*>& names,
              const std::vector<float>& a,
              const std::vector<float>& b)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(human));
  const auto jointsOf = [&](const std::vector<float>& pose) {
    pcl::gpu::DeviceArray<pcl::PointXYZ> joints;
    kinematics.computeJoints(uploaded(pose), joints);
    std::vector<pcl::PointXYZ> host;
    joints.download(host);
    return host;
  };
  const std::vector<pcl::PointXYZ> one = jointsOf(a), other = jointsOf(b);
  float greatest = 0.0f;
  for (const char* const name : names) {
    const int joint = human.findJoint(name);
    const float error =
        (one[joint].getVector3fMap() - other[joint].getVector3fMap()).norm();
    greatest = std::max(greatest, error);
  }
  return greatest;
}

} // namespace pcl::gpu::test

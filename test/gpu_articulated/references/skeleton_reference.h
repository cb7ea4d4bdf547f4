// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Geometry>

#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief Returns the places of a pose's joints, in double precision: the definition,
 * joint by joint. */
inline std::vector<Eigen::Isometry3d>
referenceTransforms(const Skeleton& skeleton, const float* pose)
{
  std::vector<Eigen::Isometry3d> transforms;
  const auto& joints = skeleton.getJoints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    if (i == 0) {
      transform.translate(Eigen::Vector3d(pose[0], pose[1], pose[2]));
      transform.rotate(
          Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized());
    }
    else {
      transform = transforms[joints[i].parent];
      transform.translate(joints[i].offset.cast<double>());
      int index = skeleton.angleIndex(static_cast<int>(i));
      for (const JointAngle& angle : joints[i].angles)
        transform.rotate(
            Eigen::AngleAxisd(pose[index++], angle.axis.cast<double>().normalized()));
    }
    transforms.push_back(transform);
  }
  return transforms;
}

/** \brief A tree of that many joints, each with none to three angles about any axes,
 * and about as many capsules. */
inline Skeleton
randomSkeleton(int joints, std::mt19937& random, bool tapered = false)
{
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  const auto vector = [&] {
    return Eigen::Vector3f(number(random), number(random), number(random));
  };
  Skeleton skeleton;
  for (int i = 0; i < joints; ++i) {
    SkeletonJoint joint;
    joint.name = "joint" + std::to_string(i);
    if (i > 0) {
      // Near the end of the list, so that the tree is deep.
      joint.parent = std::max(0, i - 1 - static_cast<int>(random() % 4));
      joint.offset = 0.2f * vector();
      joint.angles.resize(random() % 4);
      for (JointAngle& angle : joint.angles)
        angle.axis = vector();
    }
    skeleton.addJoint(joint);
  }
  for (int i = 0; i < joints + 5; ++i) {
    SkeletonCapsule capsule;
    capsule.name = "capsule" + std::to_string(i);
    capsule.joint = static_cast<int>(random() % joints);
    capsule.a = 0.2f * vector();
    capsule.b = 0.2f * vector();
    capsule.radius_a = 0.05f + 0.04f * number(random);
    capsule.radius_b = tapered ? 0.05f + 0.04f * number(random) : capsule.radius_a;
    skeleton.addCapsule(capsule);
  }
  return skeleton;
}

/** \brief Rows of random numbers: roots some 3 m away with quaternions of any length,
 * angles of a turn and more. */
inline std::vector<float>
randomPoses(const Skeleton& skeleton, int count, std::mt19937& random)
{
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  std::vector<float> poses;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < skeleton.poseSize(); ++k)
      poses.push_back(k < 3   ? 2.0f * number(random)
                      : k < 7 ? 3.0f * number(random)
                              : 4.0f * number(random));
  return poses;
}

} // namespace pcl::gpu::test

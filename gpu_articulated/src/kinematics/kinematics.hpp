// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics/rotation.hpp"

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
#include <cstddef>
#include <type_traits>

struct CUstream_st;

namespace pcl::device {

/** \brief Position and rotation of a joint. Seven words: threads that take one each
 * from shared memory have no bank conflicts. */
struct JointTransform {
  Quaternion rotation;
  Vector3 position;
};

constexpr int most_joint_angles = 3;

/** \brief A joint, ready for turning poses. Joints are sorted by their depth in the
 * tree, so that those of one depth can be turned at once. Aligned for few and wide
 * loads. */
struct alignas(16) KinematicJoint {
  Vector3 offset;
  int parent; ///< place of the parent; -1 for the root
  Vector3 axes[most_joint_angles];
  int first_angle; ///< place in the pose
  int angle_count;
};

/** \brief A piece of skin. */
struct KinematicCapsule {
  Vector3 a;
  float radius_a;
  Vector3 b;
  float radius_b;
  int joint; ///< place among the sorted joints
};

/** \brief A skeleton. All arrays live on the device. */
struct KinematicTree {
  KinematicJoint* joints;
  int* depth_starts; ///< depths + 1: the place of the first joint of each depth
  int* places;       ///< of the skeleton's joints, in its order
  KinematicCapsule* capsules;
  int joint_count;
  int depths;
  int capsule_count;
  int pose_size;
};

/** \brief Turns a vector by a unit quaternion. */
PCL_GPU_HOST_DEVICE Vector3
rotate(const Quaternion& q, const Vector3& v)
{
  const Vector3 u = {q.x, q.y, q.z};
  const Vector3 twice = 2.0f * cross(u, v);
  return v + q.w * twice + cross(u, twice);
}

/** \brief Returns a number, or NaN if it is not finite. */
PCL_GPU_HOST_DEVICE float
finiteOrNan(float value)
{
  return value + (value - value);
}

/** \brief Returns the transform of the root joint. */
PCL_GPU_HOST_DEVICE JointTransform
rootTransform(const float* pose)
{
  const float* const q = pose + 3;
  // Squares of very short and very long quaternions would leave the range of floats.
  const float largest =
      fmaxf(fmaxf(fabsf(q[0]), fabsf(q[1])), fmaxf(fabsf(q[2]), fabsf(q[3])));
  const Quaternion scaled = {
      q[0] / largest, q[1] / largest, q[2] / largest, q[3] / largest};
  const float inverse = 1.0f / sqrtf(scaled.w * scaled.w + scaled.x * scaled.x +
                                     scaled.y * scaled.y + scaled.z * scaled.z);
  return {
      {inverse * scaled.w, inverse * scaled.x, inverse * scaled.y, inverse * scaled.z},
      {finiteOrNan(pose[0]), finiteOrNan(pose[1]), finiteOrNan(pose[2])}};
}

/** \brief Returns the rotation about a unit axis; NaN for angles too large for
 * sines. */
PCL_GPU_HOST_DEVICE Quaternion
rotationAbout(const Vector3& axis, float angle)
{
  constexpr float greatest_angle = 1e5f;
  const float half = fabsf(angle) <= greatest_angle ? 0.5f * angle : NAN;
  const float s = sine(half);
  return {cosine(half), s * axis.x, s * axis.y, s * axis.z};
}

/** \brief Returns the rotation of a joint in its parent's frame. */
PCL_GPU_HOST_DEVICE Quaternion
localRotation(const KinematicJoint& joint, const float* pose)
{
  const float* const angles = pose + joint.first_angle;
  if (joint.angle_count == 0)
    return {1.0f, 0.0f, 0.0f, 0.0f};
  Quaternion rotation = rotationAbout(joint.axes[0], angles[0]);
  if (joint.angle_count > 1)
    rotation = rotation * rotationAbout(joint.axes[1], angles[1]);
  if (joint.angle_count > 2)
    rotation = rotation * rotationAbout(joint.axes[2], angles[2]);
  return rotation;
}

/** \brief Returns a joint's transform before its parent's is known; the root's is
 * complete. */
PCL_GPU_HOST_DEVICE JointTransform
startTransform(const KinematicJoint& joint, const float* pose)
{
  if (joint.parent < 0)
    return rootTransform(pose);
  return {localRotation(joint, pose), joint.offset};
}

/** \brief Moves a point from a joint's frame into the world. */
PCL_GPU_HOST_DEVICE Vector3
transformed(const JointTransform& transform, const Vector3& point)
{
  return transform.position + rotate(transform.rotation, point);
}

/** \brief Completes a joint's transform by its parent's. */
PCL_GPU_HOST_DEVICE JointTransform
compose(const JointTransform& parent, const JointTransform& local)
{
  return {parent.rotation * local.rotation, transformed(parent, local.position)};
}

/** \brief Makes a pose's capsules of its transforms, in the skeleton's order. */
template <typename T>
struct PlaceCapsules {
  using Output = T;

  static PCL_GPU_HOST_DEVICE int
  countPerPose(const KinematicTree& tree)
  {
    return tree.capsule_count;
  }

  static PCL_GPU_HOST_DEVICE T
  make(const KinematicTree& tree, const JointTransform* transforms, int i)
  {
    const KinematicCapsule& capsule = tree.capsules[i];
    const Vector3 a = transformed(transforms[capsule.joint], capsule.a);
    const Vector3 b = transformed(transforms[capsule.joint], capsule.b);
    if constexpr (std::is_same_v<T, gpu::Capsule>)
      return {{a.x, a.y, a.z}, capsule.radius_a, {b.x, b.y, b.z}};
    else
      return {{a.x, a.y, a.z}, capsule.radius_a, {b.x, b.y, b.z}, capsule.radius_b};
  }
};

/** \brief Makes the joints' positions of a pose's transforms, in the skeleton's
 * order. */
struct PlaceJoints {
  using Output = Float4;

  static PCL_GPU_HOST_DEVICE int
  countPerPose(const KinematicTree& tree)
  {
    return tree.joint_count;
  }

  static PCL_GPU_HOST_DEVICE Float4
  make(const KinematicTree& tree, const JointTransform* transforms, int i)
  {
    const Vector3& position = transforms[tree.places[i]].position;
    return {position.x, position.y, position.z, 1.0f};
  }
};

/** \brief Poses to turn. All arrays live on the device.
 * \tparam Skin PlaceCapsules or PlaceJoints
 */
template <typename Skin>
struct KinematicsTask {
  KinematicTree tree;
  const float* poses;
  std::size_t count;
  JointTransform* scratch; ///< scratchTransforms() of them, in any state
  typename Skin::Output* outputs;
};

namespace host {

/** \brief Returns the number of a task's scratch transforms. */
std::size_t
scratchTransforms(const KinematicTree& tree);

/** \brief Writes the outputs of all poses. */
template <typename Skin>
void
turnPoses(const KinematicsTask<Skin>& task);

} // namespace host

namespace cuda {

std::size_t
scratchTransforms(const KinematicTree& tree);

template <typename Skin>
void
turnPoses(const KinematicsTask<Skin>& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

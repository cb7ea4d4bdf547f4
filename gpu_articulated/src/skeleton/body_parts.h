// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief Kinds of the bone that begins at a joint. */
enum class BodyPart {
  Unknown,
  End, ///< a tip: no bone begins here
  Pelvis,
  HipJoint, ///< between pelvis and thigh
  Thigh,
  Calf,
  Foot,
  Toe,
  Trunk,
  Neck,
  Head,
  Clavicle,
  UpperArm,
  Forearm,
  Hand,
  Finger,
  Thumb
};

class JointName;

/** \brief A skeleton as a body: the parts that its joints are, by their names, and its
 * posture when all angles are 0. */
struct Body {
  explicit Body(const Skeleton& skeleton);

  /** \brief Returns the point halfway between two joints. */
  Eigen::Vector3f
  middle(const int (&pair)[2]) const;

  /** \brief Returns the first child that is this part; -1 if there is none. */
  int
  childOf(int joint, BodyPart part) const;

  /** \brief Returns the descendant farthest from a joint that is the same part as it,
   * this part or a tip; the joint itself if there is none. */
  int
  tipOf(int joint, BodyPart part) const;

  std::vector<int> parents;
  std::vector<BodyPart> parts;
  std::vector<int> sides; ///< 1: left, -1: right, 0: neither
  std::vector<Eigen::Vector3f> positions;
  Eigen::Vector3f left = Eigen::Vector3f::UnitX();
  Eigen::Vector3f up = Eigen::Vector3f::UnitY();
  Eigen::Vector3f forward = Eigen::Vector3f::UnitZ();
  float scale = 1.0f; ///< 1: a person of 1.75 m
  /** \brief Left and right joint of the hips and of the shoulders; -1 if there is
   * none. */
  int hips[2] = {-1, -1};
  int shoulders[2] = {-1, -1};

  bool has_trunk = false; ///< it has hips and shoulders, which define the directions

private:
  /** \brief Corrects parts whose names mean different ones in different bodies, by
   * their place in the tree. O(joints). */
  void
  refineParts(const std::vector<JointName>& names);
};

/** \brief Returns a skeleton with the skin of some joints only.
 * \param[in] skeleton the whole one
 * \param[in] has_skin of every joint
 */
Skeleton::Ptr
withSkinOf(const Skeleton& skeleton, const std::vector<bool>& has_skin);

} // namespace pcl::gpu

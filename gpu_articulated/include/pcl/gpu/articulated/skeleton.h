// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pcl::gpu {

/** \brief One degree of freedom of a joint: a rotation about a fixed axis.
 * \ingroup gpu_articulated
 */
struct JointAngle {
  Eigen::Vector3f axis =
      Eigen::Vector3f::UnitX(); ///< unit length, in the joint's frame
  float lower = -std::numeric_limits<float>::infinity(); ///< least angle, radians
  float upper = std::numeric_limits<float>::infinity();  ///< greatest angle, radians
  /** \brief Standard deviation of the angle's change over one second, radians. Particle
   * filters spread samples by it. */
  float deviation = 1.0f;
};

/** \brief The end of one bone, about which the next ones turn.
 *
 * Its frame comes from its parent's by a move along the offset, then by a turn by its
 * angles, in their order: T(offset) R(axis_0, angle_0) R(axis_1, angle_1) ...
 * \ingroup gpu_articulated
 */
struct SkeletonJoint {
  std::string name; ///< unique
  int parent = -1;  ///< number of the parent, which comes before; -1 for the root
  Eigen::Vector3f offset = Eigen::Vector3f::Zero(); ///< in the parent's frame, metres
  /** \brief None, one, two or three. None for the root, which turns freely. */
  std::vector<JointAngle> angles;
};

/** \brief A piece of skin, fixed to a joint's frame: see TaperedCapsule.
 * \ingroup gpu_articulated
 */
struct SkeletonCapsule {
  std::string name;                            ///< need not be unique
  int joint = 0;                               ///< number of the joint it is fixed to
  Eigen::Vector3f a = Eigen::Vector3f::Zero(); ///< in the joint's frame, metres
  Eigen::Vector3f b = Eigen::Vector3f::Zero(); ///< in the joint's frame, metres
  float radius_a = 0.05f;                      ///< metres
  float radius_b = 0.05f; ///< metres; equal to radius_a for a Capsule
};

/** \brief A body of rigid bones, joined in a tree, with its skin of capsules (Friborg
 * et al. 2010, sections 2 and 4).
 *
 * Its pose is a vector of poseSize() floats:
 * - 0, 1, 2: position of the root joint in the world, metres
 * - 3, 4, 5, 6: orientation of the root joint, a unit quaternion w, x, y, z
 * - from 7 on: the angles of all joints, radians, joint by joint
 *
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS Skeleton {
public:
  /** \brief Shared pointer. */
  using Ptr = std::shared_ptr<Skeleton>;

  /** \brief Shared pointer to a constant skeleton. */
  using ConstPtr = std::shared_ptr<const Skeleton>;

  /** \brief Numbers of a pose before the first angle. */
  static constexpr int root_size = 7;

  /** \brief Adds a joint.
   * \param[in] joint the first one added is the root: no parent, no offset, no angles
   * \return its number, counted from 0
   * \throws pcl::BadArgumentException naming the wrong member: a parent that does not
   * exist, a second root, a number that is not finite, an axis of length 0 (others get
   * length 1), more than three angles, limits in the wrong order, a deviation below 0,
   * or a name that is empty or taken
   */
  int
  addJoint(const SkeletonJoint& joint);

  /** \brief Adds a piece of skin.
   * \param[in] capsule its position, size and joint
   * \return its number, counted from 0
   * \throws pcl::BadArgumentException if the joint does not exist, a number is not
   * finite, or a radius is not positive
   */
  int
  addCapsule(const SkeletonCapsule& capsule);

  /** \brief Replaces a joint. Its parent and the number of its angles stay the same.
   * \param[in] number of the joint
   * \param[in] joint the new joint
   * \throws pcl::BadArgumentException as addJoint(), or if there is no such joint, or
   * the parent or number of angles differs
   */
  void
  setJoint(int number, const SkeletonJoint& joint);

  /** \brief Replaces a piece of skin.
   * \param[in] number of the capsule
   * \param[in] capsule the new capsule
   * \throws pcl::BadArgumentException as addCapsule(), or if there is no such capsule
   */
  void
  setCapsule(int number, const SkeletonCapsule& capsule);

  /** \return all joints; parents come before their children */
  const std::vector<SkeletonJoint>&
  getJoints() const
  {
    return joints_;
  }

  /** \return all pieces of skin */
  const std::vector<SkeletonCapsule>&
  getCapsules() const
  {
    return capsules_;
  }

  /** \brief Finds a joint.
   * \param[in] name of the joint
   * \return its number; -1 if no joint has that name
   */
  int
  findJoint(const std::string& name) const;

  /** \return the length of a pose: 7 plus the number of angles */
  int
  poseSize() const
  {
    return pose_size_;
  }

  /** \brief Finds the angles of a joint in a pose.
   * \param[in] joint its number
   * \return index of its first angle; of the next joint's if it has no angles
   * \throws pcl::BadArgumentException if there is no such joint
   */
  int
  angleIndex(int joint) const;

  /** \return the pose with the root at the origin, not rotated, and every angle as
   * close to 0 as its limits allow */
  std::vector<float>
  restPose() const;

  /** \return true if every capsule has equal radii, and so is a Capsule */
  bool
  hasPlainCapsules() const;

private:
  std::vector<SkeletonJoint> joints_;
  std::vector<SkeletonCapsule> capsules_;
  std::unordered_map<std::string, int> joint_numbers_;
  std::vector<int> angle_indices_;
  int pose_size_ = root_size;
};

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

struct Body;

/** \brief Parts of a body whose sizes have factors of their own. */
enum ShapeGroup {
  NoGroup = -1,
  TrunkGroup,
  HeadGroup,
  UpperArmGroup,
  LegGroup,
  ForearmGroup, ///< with the hand
  shape_groups
};

/** \brief Logarithms of the factors that a body's sizes are multiplied by.
 *
 * The first is that of the whole body. Lengths of all groups follow, then their radii.
 * The last one is the trunk's width, a factor on top of its length.
 */
constexpr int trunk_width = 1 + 2 * shape_groups;
constexpr int shape_size = trunk_width + 1;

/** \brief Returns whether a number of a shape is a radius. */
constexpr bool
isRadius(int number)
{
  return number > shape_groups && number != trunk_width;
}

/** \brief A skeleton in other sizes. */
class SkeletonShape {
public:
  explicit SkeletonShape(const Skeleton& skeleton);

  /** \param[in] skeleton the usual sizes
   * \param[in] body of a skeleton with the same joints
   */
  SkeletonShape(const Skeleton& skeleton, const Body& body);

  /** \brief Returns the skeleton in another size.
   * \param[in] logarithms shape_size numbers
   */
  Skeleton
  resized(const float* logarithms) const;

  /** \brief Returns a vector in another size.
   * \param[in] vector in the frame of a joint
   * \param[in] joint its number
   * \param[in] logarithms shape_size numbers
   */
  Eigen::Vector3f
  resized(const Eigen::Vector3f& vector, int joint, const float* logarithms) const;

  /** \brief Returns the derivative of a resized vector by a logarithm that is not of a
   * radius. */
  Eigen::Vector3f
  derivative(const Eigen::Vector3f& resized, int joint, int number) const;

  /** \brief Returns whether any capsule depends on a factor. */
  bool
  matters(int factor) const;

private:
  /** \brief Returns the factor of the whole body times that of a joint's group. */
  float
  factorOf(int joint, const float* logarithms, const float* of_groups) const;

  Skeleton skeleton_;
  std::vector<ShapeGroup> groups_; ///< of every joint
  Eigen::Vector3f left_;           ///< of the body, in the frame of every joint
};

/** \brief Shape and pose of a body: the shape, then a turn of the root about x, y and
 * z, then the pose, whose quaternion does not change. */
using BodyNumbers = std::vector<float>;

constexpr int turn_start = shape_size;
constexpr int pose_start = shape_size + 3;

/** \brief Returns the numbers of a body in its own size. */
BodyNumbers
numbersOf(const std::vector<float>& pose);

/** \brief Returns the pose, turned. */
std::vector<float>
poseOf(const BodyNumbers& numbers);

} // namespace pcl::gpu

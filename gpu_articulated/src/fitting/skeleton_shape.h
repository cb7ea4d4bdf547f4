// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief Logarithms of the factors that a body's sizes are multiplied by.
 *
 * The first is that of the whole body. Lengths of trunk, head, arms and legs follow,
 * then their radii. The last one is the trunk's width, a factor on top of its length.
 */
constexpr int shape_groups = 4;
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

  /** \brief Returns the skeleton in another size.
   * \param[in] logarithms shape_size numbers
   */
  Skeleton
  resized(const float* logarithms) const;

  /** \brief Returns whether any capsule depends on a factor. */
  bool
  matters(int factor) const;

private:
  Skeleton skeleton_;
  std::vector<int> groups_; ///< of every joint
  Eigen::Vector3f left_;    ///< of the body, in the frame of every joint
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

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <vector>

namespace pcl::gpu {

/** \brief Logarithms of the factors that a body's sizes are multiplied by.
 *
 * First that of the whole body; then, for trunk, head, arms and legs, those of lengths, and
 * behind them those of radii; last that of the trunk's width beside its length.
 */
constexpr int shape_groups = 4;
constexpr int trunk_width = 1 + 2 * shape_groups;
constexpr int shape_size = trunk_width + 1;

/** \brief A skeleton that can be had in other sizes. */
class SkeletonShape {
public:
  explicit SkeletonShape(const Skeleton& skeleton);

  /** \brief The skeleton in another size.
   * \param[in] logarithms shape_size numbers
   */
  Skeleton
  resized(const float* logarithms) const;

  /** \brief Whether any capsule depends on a factor. */
  bool
  matters(int factor) const;

private:
  Skeleton skeleton_;
  std::vector<int> groups_; ///< of every joint; -1: the whole body's factor only
  Eigen::Vector3f left_;    ///< of the body, in the frame of every joint
};

} // namespace pcl::gpu

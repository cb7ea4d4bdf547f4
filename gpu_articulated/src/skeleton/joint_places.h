// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Core>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief A point in the frame of a joint. */
struct FixedPoint {
  int joint;
  Eigen::Vector3f position;
};

/** \brief Returns the points on a body whose mean is a joint, for each joint of a
 * convention; none if the body has no such joint. */
std::vector<std::vector<FixedPoint>>
placesOfJoints(JointConvention convention, const Skeleton& skeleton);

/** \brief Returns the names of a convention's joints. */
std::vector<std::string>
namesOfJoints(JointConvention convention);

/** \brief Returns a skeleton that carries points of no extent as its capsules. */
Skeleton::Ptr
carrierOf(const std::vector<std::vector<FixedPoint>>& places, const Skeleton& skeleton);

} // namespace pcl::gpu

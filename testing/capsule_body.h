// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>

#include <Eigen/Core>

#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief Returns a person of 48 capsules, body and both hands, 1.75 m tall, who stands
 * upright and faces a camera at the origin (z forward, y down). Does not use the
 * module's own kinematics.
 * \param[in] position of the hips, metres
 * \param[in] spread deviation of all angles of all joints from the mean pose, radians
 * \param[in,out] random source of the angles
 */
std::vector<Capsule>
capsuleBody(const Eigen::Vector3f& position, float spread, std::mt19937& random);

} // namespace pcl::gpu::test

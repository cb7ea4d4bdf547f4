// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "regression/joint_regression.h"

#include <pcl/gpu/articulated/skeleton.h>

#include <vector>

namespace pcl::gpu {

/** \brief A body and its pose. */
struct PosedBody {
  Skeleton skeleton;
  std::vector<float> pose;
};

/** \brief Finds the pose of a body, and lengths of its bones, by its joints: the least
 * squares of distances by their expected errors, of angles from given ones, and of
 * lengths from the skeleton's (Levenberg and Marquardt). Where that leaves a joint far
 * from its place, it begins again from the middle of the limits. Runs on the host.
 * \param[in] skeleton a body with shoulders
 * \param[in] pose with the usual angles; limbs that the joints leave open keep them
 * \param[in] joints those of JointConvention::Itop
 * \param[in] fit_lengths false: only the pose changes
 * \return the body in its pose
 */
PosedBody
fitToJoints(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const std::vector<RegressedJoint>& joints,
            bool fit_lengths);

} // namespace pcl::gpu

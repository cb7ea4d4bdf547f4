// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Geometry>

namespace pcl {
namespace gpu {

/** \brief Pose of a camera or object: maps points of its own frame into the world.
 *
 * For a camera this is camera-to-world; the camera looks along its +z, x points right
 * and y down. Lengths in metres.
 * \ingroup gpu_utils
 */
using Pose = Eigen::Isometry3f;

/** \brief Rejects transforms that are not rigid.
 * \param[in] pose the transform to check
 * \param[in] name what it is called in the message
 * \throws pcl::BadArgumentException naming \a name if an entry is not finite or the
 * linear part departs from a rotation by more than 1e-3 in any entry of R^T R
 */
PCL_EXPORTS void
validatePose(const Pose& pose, const char* name);

} // namespace gpu
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Geometry>

namespace pcl::gpu {

/** \brief Pose of a camera or object: maps points of its own frame into the world.
 *
 * For a camera this is camera-to-world; the camera looks along its +z, x points right
 * and y down. Lengths in metres.
 * \ingroup gpu_utils
 */
using Pose = Eigen::Isometry3f;

/** \brief Checks that a transform is rigid.
 * \param[in] pose the transform to check
 * \param[in] name its name in the message
 * \throws pcl::BadArgumentException naming \a name if an entry is not finite or the
 * linear part departs from a rotation by more than 1e-3 in any entry of R^T R
 */
PCL_EXPORTS void
validatePose(const Pose& pose, const char* name);

/** \brief Returns the pose of a camera that looks at a point.
 * \param[in] eye position of the camera, metres
 * \param[in] target a point on its z axis, metres
 * \param[in] up a direction that is upwards in the image; if it is parallel to the line
 * of sight, the world axis farthest from that line replaces it
 * \return camera-to-world
 * \throws pcl::BadArgumentException if eye and target coincide, or a number is not
 * finite
 */
PCL_EXPORTS Pose
lookAt(const Eigen::Vector3f& eye,
       const Eigen::Vector3f& target,
       const Eigen::Vector3f& up = Eigen::Vector3f::UnitY());

} // namespace pcl::gpu

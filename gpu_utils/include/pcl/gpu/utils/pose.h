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

/** \brief Rejects transforms that are not rigid.
 * \param[in] pose the transform to check
 * \param[in] name what it is called in the message
 * \throws pcl::BadArgumentException naming \a name if an entry is not finite or the
 * linear part departs from a rotation by more than 1e-3 in any entry of R^T R
 */
PCL_EXPORTS void
validatePose(const Pose& pose, const char* name);

/** \brief The pose of a camera that looks at a point.
 * \param[in] eye where the camera is, metres
 * \param[in] target what it sees at its z axis, metres
 * \param[in] up a direction that goes upwards in the image; where it runs along the line
 * of sight, the world's axis that is farthest from that line stands in
 * \return camera-to-world
 * \throws pcl::BadArgumentException if eye and target are one, or a number is not finite
 */
PCL_EXPORTS Pose
lookAt(const Eigen::Vector3f& eye,
       const Eigen::Vector3f& target,
       const Eigen::Vector3f& up = Eigen::Vector3f::UnitY());

} // namespace pcl::gpu

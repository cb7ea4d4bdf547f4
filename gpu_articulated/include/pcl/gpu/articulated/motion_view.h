// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief Finds the middle of the path of a body.
 * \param[in] poses of the body, each at least Skeleton::root_size numbers
 * \return center of the box around all roots, metres
 * \throws pcl::BadArgumentException if there are no poses, or one is too short
 * \ingroup gpu_articulated
 */
PCL_EXPORTS Eigen::Vector3f
centerOfMotion(const std::vector<std::vector<float>>& poses);

/** \brief Places a camera so that it sees all of a person along a whole motion: in
 * front of the body (which looks along +z of its root, with +y up), a little to the
 * side and above, as near as possible from 2 m on.
 *
 * O(poses) for each 10 cm of distance.
 * \param[in] camera with the size of its images
 * \param[in] poses of the body, each at least Skeleton::root_size numbers
 * \param[in] target point in the middle of the images, metres: see centerOfMotion()
 * \param[in] reach of the body from its root, metres: that of a person by default. All
 * distances are proportional to it; 0.2 m, that of a hand, begins with 0.36 m
 * \return camera-to-world; 30 m away if nothing nearer sees all of the motion
 * \throws pcl::BadArgumentException as PinholeCamera::validate(), or if the images have
 * no size, there are no poses, one is too short, or the reach is not positive
 * \ingroup gpu_articulated
 */
PCL_EXPORTS Pose
viewOfMotion(const PinholeCamera& camera,
             const std::vector<std::vector<float>>& poses,
             const Eigen::Vector3f& target,
             float reach = 1.1f);

} // namespace pcl::gpu

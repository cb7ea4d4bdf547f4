// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <Eigen/Geometry>

namespace pcl::gpu {

/** \brief A depth map as another camera sees it, as RegisteredRGBDVideo says.
 * \param[in] depth the depth map; it has its camera's size
 * \param[in] from the camera of it
 * \param[in] to the other camera, with its size
 * \param[in] motion where the points of the first camera's frame are in that of the other one
 * \param[in] max_depth_change relative difference of depth across a triangle
 * \return NaN where nothing falls
 */
Image<float>
registerDepth(const Image<float>& depth,
              const PinholeCamera& from,
              const PinholeCamera& to,
              const Eigen::Affine3d& motion,
              float max_depth_change);

} // namespace pcl::gpu

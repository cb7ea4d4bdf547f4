// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/utils/pose.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Some points of a surface with their normals, in a random order. Waits for the
 * device. O(pixels).
 * \param[in] surface of a depth map
 * \param[in] pose maps its points into the frame of the result
 * \param[in] flattest largest cosine between the normal and the line of sight; -1 for a
 * surface that faces the camera
 * \param[in] count largest number of points
 * \param[in] seed equal seeds give equal points
 */
TensorModel::Points
sampledPoints(const DepthMapTriangulation& surface,
              const Pose& pose,
              float flattest,
              std::size_t count,
              unsigned int seed);

} // namespace pcl::gpu

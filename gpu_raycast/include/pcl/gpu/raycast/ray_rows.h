// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <limits>

/** \file
 * \brief Points and rays from rows of numbers without gaps, as others keep them.
 */

namespace pcl::gpu {

/** \brief Copies rows of three numbers to points. O(points).
 * \param[in] rows x, y, z of each point
 * \param[out] points one for three numbers, on the same device
 * \param[in] stream the queue to join
 * \throws pcl::BadArgumentException if the number of numbers is not a multiple of 3, or
 * both share memory
 * \throws DeviceException if the device fails or runs out of memory
 * \ingroup gpu_raycast
 */
PCL_EXPORTS void
toPoints(const DeviceArray<float>& rows,
         DeviceArray<PointXYZ>& points,
         const Stream& stream = {});

/** \brief Copies rows of six numbers to rays. O(rays).
 * \param[in] rows origin and direction of each ray
 * \param[out] rays one for six numbers, on the same device
 * \param[in] nearest hits at this distance or less do not count
 * \param[in] farthest hits beyond this distance do not count
 * \param[in] stream the queue to join
 * \throws pcl::BadArgumentException if the number of numbers is not a multiple of 6, or
 * both share memory
 * \throws DeviceException if the device fails or runs out of memory
 * \ingroup gpu_raycast
 */
PCL_EXPORTS void
toRays(const DeviceArray<float>& rows,
       DeviceArray<Ray>& rays,
       float nearest = 0.0f,
       float farthest = std::numeric_limits<float>::infinity(),
       const Stream& stream = {});

} // namespace pcl::gpu

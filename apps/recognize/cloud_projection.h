// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/image_reader.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/point_cloud.h>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief What a camera would have measured of a cloud.
 *
 * A pixel's depth is the mean of those of its points that are within 10 mm of the nearest
 * one. Pixels that fall between the points, with most of the pixels around them seen, get
 * the mean of these.
 * \param[in] cloud any
 * \param[in] camera intrinsics and size
 * \param[in] pose of the camera in the cloud's frame
 * \return metres; NaN where there is no point
 */
Image<float>
projectCloud(const PointCloud<PointXYZ>& cloud,
             const PinholeCamera& camera,
             const Pose& pose);

} // namespace apps
} // namespace gpu
} // namespace pcl

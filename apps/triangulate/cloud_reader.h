// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <string>

namespace pcl::gpu::apps {

/** \brief Reads an organized cloud in its camera's frame (z forward).
 * \param[in] path a PCD file with x, y, z, and maybe rgb or rgba
 * \return the cloud; alpha is 255, or 0 in all points if the file has no colour
 * \throws InputError if the file is missing, damaged, has no x y z, is not organized, or
 * its points lie behind the camera
 */
PointCloud<PointXYZRGB>::Ptr
readOrganizedCloud(const std::string& path);

} // namespace pcl::gpu::apps

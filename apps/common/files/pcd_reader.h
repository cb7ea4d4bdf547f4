// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PCLPointCloud2.h>

#include <Eigen/Geometry>

#include <string>

namespace pcl::gpu::apps {

/** \brief Reads a PCD file of points.
 * \param[in] path the file
 * \param[out] origin position of the sensor, from the file's VIEWPOINT; may be null
 * \param[out] orientation orientation of the sensor there; may be null
 * \return the cloud, which has float fields x, y, z
 * \throws InputError if the file is missing or damaged, or has no such fields
 */
PCLPointCloud2
readPcd(const std::string& path,
        Eigen::Vector4f* origin = nullptr,
        Eigen::Quaternionf* orientation = nullptr);

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <optional>

namespace benchmarks {

/** \brief Registers two views without a guess by PCL's classes: voxels of the
 * resolution, normals, FPFH, SampleConsensusPrerejective and point to plane ICP, with
 * the parameters of PCL's tutorial on aligning object templates.
 * \param[in] source cloud; points that are not finite are left out
 * \param[in] target cloud; points that are not finite are left out
 * \param[in] resolution side of voxels, metres
 * \return maps the source to the target; nothing if it did not converge
 */
std::optional<pcl::gpu::Pose>
alignByPrerejection(const pcl::PointCloud<pcl::PointXYZ>& source,
                    const pcl::PointCloud<pcl::PointXYZ>& target,
                    float resolution);

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <optional>

namespace benchmarks {

/** \brief A cloud with normals and descriptors by PCL's classes. */
struct DescribedCloud {
  pcl::PointCloud<pcl::PointNormal>::Ptr points{new pcl::PointCloud<pcl::PointNormal>};
  pcl::PointCloud<pcl::FPFHSignature33>::Ptr features{
      new pcl::PointCloud<pcl::FPFHSignature33>};
};

/** \brief Describes a cloud: voxels of the resolution, normals, FPFH.
 * \param[in] cloud points that are not finite are left out
 * \param[in] resolution side of voxels, metres
 */
DescribedCloud
describe(const pcl::PointCloud<pcl::PointXYZ>& cloud, float resolution);

/** \brief Registers two clouds without a guess by PCL's classes:
 * SampleConsensusPrerejective and point to plane ICP, with the parameters of PCL's
 * tutorial on aligning object templates.
 * \param[in] source as describe() returns it
 * \param[in] target as describe() returns it
 * \param[in] resolution of both
 * \return maps the source to the target; nothing if it did not converge
 */
std::optional<pcl::gpu::Pose>
alignByPrerejection(const DescribedCloud& source,
                    const DescribedCloud& target,
                    float resolution);

} // namespace benchmarks

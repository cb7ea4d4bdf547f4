// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "prerejective_alignment.h"

#include <pcl/features/fpfh_omp.h>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/filters/filter.h>
#include <pcl/filters/voxel_grid.h>
#include <pcl/registration/icp.h>
#include <pcl/registration/sample_consensus_prerejective.h>

namespace benchmarks {

DescribedCloud
describe(const pcl::PointCloud<pcl::PointXYZ>& cloud, float resolution)
{
  pcl::PointCloud<pcl::PointNormal>::Ptr all(new pcl::PointCloud<pcl::PointNormal>);
  pcl::copyPointCloud(cloud, *all);
  pcl::Indices kept;
  all->is_dense = false;
  pcl::removeNaNFromPointCloud(*all, *all, kept);
  DescribedCloud described;
  pcl::VoxelGrid<pcl::PointNormal> grid;
  grid.setLeafSize(resolution, resolution, resolution);
  grid.setInputCloud(all);
  grid.filter(*described.points);
  pcl::NormalEstimationOMP<pcl::PointNormal, pcl::PointNormal> normals;
  normals.setRadiusSearch(2.0 * resolution);
  normals.setInputCloud(described.points);
  normals.compute(*described.points);
  pcl::FPFHEstimationOMP<pcl::PointNormal, pcl::PointNormal, pcl::FPFHSignature33>
      features;
  features.setRadiusSearch(5.0 * resolution);
  features.setInputCloud(described.points);
  features.setInputNormals(described.points);
  features.compute(*described.features);
  return described;
}

std::optional<pcl::gpu::Pose>
alignByPrerejection(const DescribedCloud& source,
                    const DescribedCloud& target,
                    float resolution)
{
  pcl::SampleConsensusPrerejective<pcl::PointNormal,
                                   pcl::PointNormal,
                                   pcl::FPFHSignature33>
      align;
  align.setInputSource(source.points);
  align.setSourceFeatures(source.features);
  align.setInputTarget(target.points);
  align.setTargetFeatures(target.features);
  align.setMaximumIterations(50000);
  align.setNumberOfSamples(3);
  align.setCorrespondenceRandomness(5);
  align.setSimilarityThreshold(0.9f);
  align.setMaxCorrespondenceDistance(2.5 * resolution);
  align.setInlierFraction(0.25f);
  pcl::PointCloud<pcl::PointNormal> aligned;
  align.align(aligned);
  if (!align.hasConverged())
    return std::nullopt;
  pcl::IterativeClosestPointWithNormals<pcl::PointNormal, pcl::PointNormal> icp;
  icp.setInputSource(source.points);
  icp.setInputTarget(target.points);
  icp.setMaxCorrespondenceDistance(2.5 * resolution);
  icp.setMaximumIterations(20);
  icp.align(aligned, align.getFinalTransformation());
  pcl::gpu::Pose pose = pcl::gpu::Pose::Identity();
  pose.matrix() = icp.hasConverged() ? icp.getFinalTransformation()
                                     : align.getFinalTransformation();
  return pose;
}

} // namespace benchmarks

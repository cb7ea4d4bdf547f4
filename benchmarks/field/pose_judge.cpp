// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_judge.h"

#include <Eigen/Geometry>

#include <cmath>

namespace benchmarks {

using pcl::gpu::Pose;

PoseJudge::PoseJudge(const pcl::gpu::test::HostMesh& mesh, const BopObjectInfo& info)
: vertices_(new pcl::PointCloud<pcl::PointXYZ>)
, info_(info)
{
  vertices_->assign(mesh.vertices.begin(), mesh.vertices.end());
  if (info.is_symmetric)
    tree_.setInputCloud(vertices_);
}

double
PoseJudge::error(const Pose& found, const Pose& truth) const
{
  // Distances are the same in the model's frame.
  const Pose motion = found.inverse() * truth;
  double sum = 0.0;
  pcl::Indices closest(1);
  std::vector<float> squared(1);
  for (const pcl::PointXYZ& vertex : *vertices_) {
    const Eigen::Vector3f moved = motion * vertex.getVector3fMap();
    if (info_.is_symmetric) {
      tree_.nearestKSearch(
          pcl::PointXYZ(moved.x(), moved.y(), moved.z()), 1, closest, squared);
      sum += std::sqrt(squared[0]);
    }
    else
      sum += (moved - vertex.getVector3fMap()).norm();
  }
  return sum / static_cast<double>(vertices_->size());
}

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/sampled_points.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace pcl::gpu {

TensorModel::Points
sampledPoints(const DepthMapTriangulation& surface,
              const Pose& pose,
              float flattest,
              std::size_t count,
              unsigned int seed)
{
  std::vector<PointXYZ> cloud, normals;
  int columns = 0;
  surface.cloud().download(cloud, columns);
  surface.normals().download(normals, columns);
  TensorModel::Points points;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Eigen::Vector3f point = cloud[i].getVector3fMap();
    const Eigen::Vector3f normal = normals[i].getVector3fMap();
    if (!point.allFinite() || !normal.allFinite() ||
        normal.dot(point) > flattest * point.norm())
      continue;
    PointNormal kept;
    kept.getVector3fMap() = pose * point;
    kept.getNormalVector3fMap() = (pose.linear() * normal).normalized();
    kept.curvature = normals[i].data[3];
    points.push_back(kept);
  }
  std::mt19937 random(seed);
  count = std::min(count, points.size());
  for (std::size_t i = 0; i < count; ++i)
    std::swap(points[i], points[i + random() % (points.size() - i)]);
  points.resize(count);
  return points;
}

} // namespace pcl::gpu

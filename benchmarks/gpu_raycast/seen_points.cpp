// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "seen_points.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

Ray
rayBetween(const Eigen::Vector3f& from, const Eigen::Vector3f& to)
{
  Ray ray;
  const Eigen::Vector3f direction = to - from;
  for (int i = 0; i < 3; ++i) {
    ray.origin[i] = from[i];
    ray.direction[i] = direction[i];
  }
  return ray;
}

} // namespace

SeenPoints::SeenPoints(const TriangleMesh& mesh, const CameraView& view)
: eye_(view.getPose().translation())
{
  MeshRayCaster caster;
  caster.setInputMesh(mesh);
  MeshRayCasterParameters parameters;
  parameters.outputs = PointsOutput;
  parameters.in_world_frame = true;
  caster.setParameters(parameters);
  RayCastImages images;
  caster.cast(view, images);
  std::vector<pcl::PointXYZ> points;
  int columns = 0;
  images.points.download(points, columns);
  for (const pcl::PointXYZ& point : points)
    if (point.getVector3fMap().allFinite())
      points_.push_back(point.getVector3fMap());
}

std::vector<Ray>
SeenPoints::raysFromCamera() const
{
  std::vector<Ray> rays;
  for (const Eigen::Vector3f& point : points_)
    rays.push_back(rayBetween(eye_, point));
  return rays;
}

std::vector<Ray>
SeenPoints::raysTo(const Eigen::Vector3f& light) const
{
  std::vector<Ray> rays;
  for (const Eigen::Vector3f& point : points_) {
    rays.push_back(rayBetween(point, light));
    rays.back().nearest = 1e-4f;
    rays.back().farthest = 1.0f;
  }
  return rays;
}

} // namespace benchmarks

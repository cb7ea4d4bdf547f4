// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "meshes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchmarks {

void
normalize(HostMesh& mesh)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Eigen::Array3f least = Eigen::Array3f::Constant(infinity);
  Eigen::Array3f most = -least;
  for (const auto& vertex : mesh.vertices) {
    least = least.min(vertex.getArray3fMap());
    most = most.max(vertex.getArray3fMap());
  }
  const Eigen::Array3f center = 0.5f * (least + most);
  const float scale = 1.0f / (most - least).maxCoeff();
  for (auto& vertex : mesh.vertices)
    vertex.getArray3fMap() = scale * (vertex.getArray3fMap() - center);
}

HostMesh
splitUpTo(HostMesh mesh, int triangles)
{
  for (std::size_t i = 0; mesh.triangleCount() < triangles; ++i) {
    const int a = mesh.triangles[3 * i];
    const int b = mesh.triangles[3 * i + 1];
    const int c = mesh.triangles[3 * i + 2];
    const int center = static_cast<int>(mesh.vertices.size());
    pcl::PointXYZ point;
    point.getVector3fMap() =
        (mesh.vertices[a].getVector3fMap() + mesh.vertices[b].getVector3fMap() +
         mesh.vertices[c].getVector3fMap()) /
        3.0f;
    mesh.vertices.push_back(point);
    mesh.triangles[3 * i + 2] = center;
    mesh.triangles.insert(mesh.triangles.end(), {b, c, center, c, a, center});
  }
  return mesh;
}

pcl::gpu::PinholeCamera
cameraFor(int width, int height, double focal_length)
{
  pcl::gpu::PinholeCamera camera;
  camera.fx = camera.fy = static_cast<float>(focal_length * 0.5 * height);
  camera.cx = 0.5f * static_cast<float>(width - 1);
  camera.cy = 0.5f * static_cast<float>(height - 1);
  camera.width = width;
  camera.height = height;
  return camera;
}

pcl::gpu::Pose
poseBefore(double distance)
{
  pcl::gpu::Pose pose = pcl::gpu::Pose::Identity();
  pose.linear() = Eigen::Vector3f(1.0f, -1.0f, -1.0f).asDiagonal();
  pose.translation().z() = static_cast<float>(distance);
  return pose;
}

double
fittingFocalLength(const HostMesh& mesh, double aspect, double distance, double span)
{
  double widest = 0.0;
  for (const auto& vertex : mesh.vertices) {
    const double depth = distance - vertex.z;
    widest = std::max(
        {widest, std::abs(vertex.x) / (aspect * depth), std::abs(vertex.y) / depth});
  }
  return span / widest;
}

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "polygon_meshes.h"

#include <cmath>

namespace pcl::gpu::test {

PolygonMesh
squareAt(float z)
{
  pcl::PointCloud<PointXYZ> points;
  for (float x : {-1.0f, 1.0f})
    for (float y : {-1.0f, 1.0f})
      points.push_back(PointXYZ(x, y, z));
  return polygonMesh(points, {{0, 1, 3, 2}});
}

PolygonMesh
cube(float side)
{
  pcl::PointCloud<PointXYZ> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(PointXYZ(((i & 1) - 0.5f) * side,
                              ((i >> 1 & 1) - 0.5f) * side,
                              ((i >> 2) - 0.5f) * side));
  return polygonMesh(points,
                     {{0, 2, 3, 1},
                      {4, 5, 7, 6},
                      {0, 1, 5, 4},
                      {2, 6, 7, 3},
                      {0, 4, 6, 2},
                      {1, 3, 7, 5}});
}

PolygonMesh
ringSphere(float radius, int rings, int segments)
{
  pcl::PointCloud<PointNormal> points;
  std::vector<Indices> polygons;
  for (int ring = 0; ring <= rings; ++ring)
    for (int segment = 0; segment < segments; ++segment) {
      const double polar = M_PI * ring / rings;
      const double azimuth = 2.0 * M_PI * segment / segments;
      PointNormal point;
      point.normal_x = static_cast<float>(std::sin(polar) * std::cos(azimuth));
      point.normal_y = static_cast<float>(std::sin(polar) * std::sin(azimuth));
      point.normal_z = static_cast<float>(std::cos(polar));
      point.getVector3fMap() = radius * point.getNormalVector3fMap();
      points.push_back(point);
    }
  const auto vertex = [&](int ring, int segment) {
    return ring * segments + segment % segments;
  };
  for (int ring = 0; ring < rings; ++ring)
    for (int segment = 0; segment < segments; ++segment)
      polygons.push_back({vertex(ring, segment),
                          vertex(ring + 1, segment),
                          vertex(ring + 1, segment + 1),
                          vertex(ring, segment + 1)});
  return polygonMesh(points, polygons);
}

std::vector<PointXYZ>
positionsOf(const PolygonMesh& mesh)
{
  pcl::PointCloud<PointXYZ> points;
  fromPCLPointCloud2(mesh.cloud, points);
  return {points.begin(), points.end()};
}

} // namespace pcl::gpu::test

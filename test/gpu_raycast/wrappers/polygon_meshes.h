// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/conversions.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <vector>

/** \file
 * \brief Meshes of PCL's kind whose pictures are known in closed form.
 */

namespace pcl::gpu::test {

/** \brief A mesh of points of any type. */
template <typename PointT>
PolygonMesh
polygonMesh(const pcl::PointCloud<PointT>& points, const std::vector<Indices>& polygons)
{
  PolygonMesh mesh;
  toPCLPointCloud2(points, mesh.cloud);
  for (const Indices& indices : polygons) {
    mesh.polygons.emplace_back();
    mesh.polygons.back().vertices = indices;
  }
  return mesh;
}

/** \brief The square -1 < x, y < 1 at a depth, one quad that faces the origin. */
PolygonMesh
squareAt(float z);

/** \brief A cube around the origin, six quads that face outwards. */
PolygonMesh
cube(float side);

/** \brief A sphere of rings and segments around the origin, facing outwards; vertices
 * lie on it and have exact normals. */
PolygonMesh
ringSphere(float radius, int rings, int segments);

/** \brief Coordinates of the vertices of a mesh. */
std::vector<PointXYZ>
positionsOf(const PolygonMesh& mesh);

} // namespace pcl::gpu::test

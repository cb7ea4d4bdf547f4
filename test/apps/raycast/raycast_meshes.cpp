// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/raycast/raycast_meshes.h"

#include <pcl/conversions.h>
#include <pcl/io/obj_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/vtk_lib_io.h>
#include <pcl/point_types.h>

namespace pcl::gpu::test {

PolygonMesh
cubeMesh(float side)
{
  PointCloud<PointXYZ> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(PointXYZ(((i & 1) - 0.5f) * side,
                              ((i >> 1 & 1) - 0.5f) * side,
                              ((i >> 2) - 0.5f) * side));
  PolygonMesh mesh;
  toPCLPointCloud2(points, mesh.cloud);
  for (const Indices& quad : {Indices{0, 2, 3, 1},
                              {4, 5, 7, 6},
                              {0, 1, 5, 4},
                              {2, 6, 7, 3},
                              {0, 4, 6, 2},
                              {1, 3, 7, 5}}) {
    mesh.polygons.emplace_back();
    mesh.polygons.back().vertices = quad;
  }
  return mesh;
}

void
writeCube(const std::string& path, float side)
{
  const PolygonMesh mesh = cubeMesh(side);
  const std::string extension = path.substr(path.rfind('.'));
  if (extension == ".ply")
    io::savePLYFileBinary(path, mesh);
  else if (extension == ".obj")
    io::saveOBJFile(path, mesh);
  else if (extension == ".stl")
    io::savePolygonFileSTL(path, mesh);
  else
    io::savePolygonFileVTK(path, mesh);
}

} // namespace pcl::gpu::test

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>

#include <Eigen/Core>

#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief A triangle mesh in host memory, for tests and benchmarks. */
struct HostMesh {
  std::vector<PointXYZ> vertices;
  std::vector<int> triangles;
  std::vector<PointXYZ> normals;
  std::vector<RGB> colors;
  std::vector<TextureCoordinate> texture_coordinates;

  int
  triangleCount() const
  {
    return static_cast<int>(triangles.size() / 3);
  }

  /** \brief Adds a triangle with vertices of its own. */
  void
  addTriangle(const Eigen::Vector3f& a,
              const Eigen::Vector3f& b,
              const Eigen::Vector3f& c);
};

/** \brief Copies a mesh to the current device. */
TriangleMesh
uploaded(const HostMesh& mesh);

/** \brief Reads vertices and triangles, if any, of a PLY file, plain or compressed by
 * xz.
 * \throws std::runtime_error naming the file
 */
HostMesh
readMesh(const std::string& path);

/** \brief Returns the mesh with each triangle split in four at the middles of its
 * edges. The new vertices come after the old ones. */
HostMesh
quadrupled(const HostMesh& mesh);

} // namespace pcl::gpu::test

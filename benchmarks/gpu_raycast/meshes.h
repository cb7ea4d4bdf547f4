// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <string>
#include <vector>

namespace benchmarks {

/** \brief A mesh in host memory. */
struct HostMesh {
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> triangles;

  std::size_t
  triangleCount() const
  {
    return triangles.size() / 3;
  }
};

/** \brief Reads a PLY file, as it is or packed by xz.
 * \throws std::runtime_error naming the file
 */
HostMesh
readMesh(const std::string& path);

/** \brief Moves the centre of the bounding box to the origin and scales the largest
 * extent to 1. */
void
normalize(HostMesh& mesh);

/** \brief Each triangle becomes four, split at the middles of its edges. */
HostMesh
quadrupled(const HostMesh& mesh);

/** \brief Triangles are split in three at their centres, from the first on, until there
 * are at least so many. */
HostMesh
splitUpTo(HostMesh mesh, std::size_t triangles);

pcl::gpu::TriangleMesh
uploaded(const HostMesh& mesh);

/** \brief A pinhole camera at z = 2.2 that looks along -z at the origin, y up.
 * \param[in] focal_length in halves of the image's height
 */
pcl::gpu::PinholeCamera
cameraFor(int width, int height, double focal_length);

pcl::gpu::Pose
poseBefore(double distance);

/** \brief The focal length, in halves of the image's height, at which the mesh spans this
 * much of the image from poseBefore(). */
double
fittingFocalLength(const HostMesh& mesh, double aspect, double distance, double span);

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief A mesh as read, and on the current device. */
struct InputMesh {
  std::string name; ///< of the file
  Pose pose = Pose::Identity();
  PolygonMesh polygons; ///< as in the file
  TriangleMesh rest;    ///< undeformed, with normals and colours
  /** \brief Vertices that triangles use, in its own frame. */
  std::vector<Eigen::Vector3f> corners;
  Eigen::AlignedBox3f box; ///< of these
};

/** \brief Reads meshes and brings them to the current device.
 *
 * Those without normals get some; those without colours get one colour each.
 * \param[in] inputs "MESH" or "MESH@POSE"
 * \param[in] crease_angle for normals, degrees
 * \throws InputError if a file is missing, of another kind or damaged, or has no
 * triangles
 */
std::vector<InputMesh>
readMeshes(const std::vector<std::string>& inputs, float crease_angle);

} // namespace pcl::gpu::apps

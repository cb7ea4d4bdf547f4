// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>

#include <Eigen/Geometry>

#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Files of a model. */
struct ModelFiles {
  std::string name;
  std::vector<std::string> files; ///< one mesh, or clouds
  bool is_mesh = false;
};

/** \brief Parses FILE or NAME=FILE,FILE...
 * \param[in] words one for each model
 * \throws InputError if a file is missing or of an unknown kind, or names are not
 * different
 */
std::vector<ModelFiles>
findModels(const std::vector<std::string>& words);

/** \brief Mesh on the current device, without unused vertices. */
struct ModelMesh {
  TriangleMesh mesh;
  Eigen::AlignedBox3f box;
};

/** \brief Reads a mesh.
 * \param[in] path the file
 * \param[in] size scales the mesh to this longest side of its box, metres
 * \throws InputError if it cannot be read, or is a point
 */
ModelMesh
readModelMesh(const std::string& path, const std::optional<float>& size);

/** \brief Checks that a camera is outside of the ball around a mesh.
 * \param[in] mesh the mesh
 * \param[in] distance distance of the camera from the mesh's middle, metres
 * \param[in] path file of the mesh, for the message
 * \return least depth of the mesh, metres
 * \throws InputError if the camera is too near
 */
float
nearestDepth(const ModelMesh& mesh, float distance, const std::string& path);

} // namespace pcl::gpu::apps

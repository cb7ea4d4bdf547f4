// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>

#include <Eigen/Geometry>

#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief The files of a model. */
struct ModelFiles {
  std::string name;
  std::vector<std::string> files; ///< one mesh, or clouds
  bool is_mesh = false;
};

/** \brief Takes FILE or NAME=FILE,FILE... apart.
 * \param[in] words one a model
 * \throws InputError if a file is missing or of an unknown kind, or names are not different
 */
std::vector<ModelFiles>
findModels(const std::vector<std::string>& words);

/** \brief A mesh on the current device, without vertices that nothing uses. */
struct ModelMesh {
  TriangleMesh mesh;
  Eigen::AlignedBox3f box;
};

/** \brief Reads a mesh.
 * \param[in] path the file
 * \param[in] size longest side of its box, metres, to which it is scaled
 * \throws InputError if it cannot be read, or is a point
 */
ModelMesh
readModelMesh(const std::string& path, const std::optional<float>& size);

/** \brief Makes sure that a camera is outside of a mesh's surroundings.
 * \param[in] mesh the mesh
 * \param[in] distance of the camera from its middle, metres
 * \param[in] path of the mesh, for the message
 * \return how near the mesh comes, metres
 * \throws InputError if it is too near
 */
float
nearestDepth(const ModelMesh& mesh, float distance, const std::string& path);

} // namespace pcl::gpu::apps

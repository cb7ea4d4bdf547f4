// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../options/options.h"

#include <pcl/gpu/raycast/mesh_scene.h>

#include <Eigen/Geometry>

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
  std::string path; ///< its file
  MeshScaling scaling;
  Eigen::Vector3f sides;   ///< of its box, in the file's unit
  TriangleMesh mesh;       ///< in metres
  Eigen::AlignedBox3f box; ///< in metres
};

/** \brief Reads a mesh.
 * \param[in] path the file
 * \param[in] scaling makes metres of the file's coordinates
 * \throws InputError if it cannot be read, or is a point
 */
ModelMesh
readModelMesh(const std::string& path, const MeshScaling& scaling);

/** \brief Checks that a mesh is large enough for a pair of points, and a camera outside
 * of the ball around it.
 * \param[in] mesh the mesh
 * \param[in] distance distance of the camera from the mesh's middle, metres
 * \param[in] tensors have the least distance of a pair
 * \return least depth of the mesh, metres
 * \throws InputError if the mesh is too small or too large. It has the mesh's size in
 * the unit of its file, and the units that make it fit.
 */
float
nearestDepth(const ModelMesh& mesh, float distance, const TensorParameters& tensors);

} // namespace pcl::gpu::apps

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/TextureMesh.h>

#include <string>

namespace pcl::gpu::apps {

/** \brief Contents of a mesh file. */
struct MeshFile {
  PolygonMesh polygons; ///< always
  TextureMesh texture;  ///< the same with its materials, if it has any
  bool is_textured = false;
};

/** \brief Accepted kinds of mesh files, for messages. */
extern const char* const mesh_file_expectation;

/** \brief Reads a mesh.
 * \param[in] path a .ply, .obj, .stl or .vtk file
 * \throws InputError if it is missing, of another kind or damaged, or has no polygons
 */
MeshFile
readMeshFile(const std::string& path);

} // namespace pcl::gpu::apps

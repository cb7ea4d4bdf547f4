// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PCLPointCloud2.h>
#include <pcl/PolygonMesh.h>

#include <string>
#include <string_view>

namespace pcl::gpu::apps {

/** \brief Accepted kinds of mesh files, for messages. */
extern const char* const mesh_file_expectation;

/** \brief Returns whether a file's name is that of a mesh.
 * \param[in] path the name; only its extension counts
 */
bool
isMeshFile(const std::string& path);

/** \brief Reads a mesh.
 *
 * Vertices and polygons are in the order of the file, polygons of all its groups and
 * materials as well. Normals and colours of vertices are those of the file, without
 * normals of OBJ files, which belong to the corners of faces. The readers of PCL, VTK,
 * assimp and tinyobjloader are not used: they crash on some files, read others half, or
 * copy vertices and sort faces by their material.
 * \param[in] path a .ply, .obj, .stl, .off or .vtk file
 * \return a mesh whose polygons have three or more vertices of its cloud
 * \throws InputError if it is missing, of another kind or damaged, or has no polygons
 */
PolygonMesh
readMeshFile(const std::string& path);

/** \brief Reads the vertices of a mesh file, which may have no polygons.
 * \param[in] path a .ply, .obj, .stl, .off or .vtk file
 * \return the vertices, in the order of the file
 * \throws InputError if it is missing, of another kind or damaged
 */
PCLPointCloud2
readVertices(const std::string& path);

/** \brief Reads the bytes of a mesh file.
 * \param[in] bytes all of them
 * \param[in] extension of the file's name in small letters: ".ply"
 * \return as readMeshFile()
 * \throws pcl::IOException with the problem, if they are damaged, have no polygons or
 * are of another kind
 */
PolygonMesh
parseMesh(std::string_view bytes, const std::string& extension);

} // namespace pcl::gpu::apps

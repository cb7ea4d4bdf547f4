// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "triangulator.h"

#include <vtkSmartPointer.h>

#include <string>

class vtkPolyData;

namespace pcl::gpu::apps {

/** \brief Mesh without the points that no polygon uses. */
struct CompactMesh {
  PointCloud<PointXYZRGBNormal> vertices;
  std::vector<int> indices; ///< into vertices
  int vertices_per_polygon = 3;
  bool has_color = false;
};

/** \brief Part of an image: columns from left to right - 1, rows from top to bottom -
 * 1. */
struct PixelWindow {
  int left, top, right, bottom;
};

/** \brief Leaves out the points that no polygon uses.
 * \param[in] frame cloud and polygons
 */
CompactMesh
compactMesh(const TriangulatedFrame& frame);

/** \brief Keeps the polygons over a part of the image, with their points.
 * \param[in] frame cloud and polygons
 * \param[in] window the part
 */
CompactMesh
compactMesh(const TriangulatedFrame& frame, const PixelWindow& window);

/** \brief Returns a mesh as VTK draws and writes it, with "Normals" and, if it has any,
 * "RGB".
 * \param[in] mesh the mesh
 */
vtkSmartPointer<vtkPolyData>
polyData(const CompactMesh& mesh);

/** \brief Rejects names of files that no mesh can be written to.
 * \param[in] path file name
 * \throws InputError unless it ends in .ply, .vtk or .obj
 */
void
checkMeshExtension(const std::string& path);

/** \brief Writes a mesh with its normals, and in PLY and VTK files its colours.
 * \param[in] mesh the mesh
 * \param[in] path file name ending in .ply (binary), .vtk (binary) or .obj
 * \throws InputError, std::runtime_error if the file cannot be written
 */
void
writeMesh(const CompactMesh& mesh, const std::string& path);

/** \brief Writes the organized cloud as compressed PCD: PointXYZRGBNormal, or
 * PointNormal without colour.
 * \param[in] frame the cloud
 * \param[in] path file name ending in .pcd
 * \throws InputError, std::runtime_error if the file cannot be written
 */
void
writeCloud(const TriangulatedFrame& frame, const std::string& path);

} // namespace pcl::gpu::apps

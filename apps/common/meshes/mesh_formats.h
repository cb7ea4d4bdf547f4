// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/types.h>

#include <array>
#include <string_view>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Contents of a mesh file. */
struct MeshData {
  /** \brief Adds a polygon with the indices of its vertices. */
  void
  addPolygon(Indices vertices);

  /** \brief Adds the triangles of a strip; every second one is turned around. */
  void
  addStrip(const Indices& vertices);

  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<float, 3>> normals; ///< one for each position, or empty
  /** \brief Red, green, blue and alpha, 0 to 1, for each position, or empty. */
  std::vector<std::array<float, 4>> colors;
  std::vector<Vertices> polygons;
};

/** \brief Divides colours by 255 if any of them is above 1: text formats do not say
 * which of both ranges they use. */
void
scaleColors(MeshData& mesh);

/** \brief Returns the vertices for PCL, with fields normal_x to normal_z and rgba if
 * they have normals and colours. */
PCLPointCloud2
toPointCloud(const MeshData& mesh);

/** \brief Returns a mesh for PCL, with fields normal_x to normal_z and rgba if it has
 * normals and colours.
 * \throws pcl::IOException if there are no polygons, or a polygon has fewer than three
 * vertices or an index that is none of a vertex
 */
PolygonMesh
toPolygonMesh(MeshData mesh);

// Each function takes all bytes of a file and throws pcl::IOException naming the
// problem, if they are damaged. Indices of polygons are not checked.

MeshData
readObj(std::string_view bytes);

MeshData
readOff(std::string_view bytes);

MeshData
readPly(std::string_view bytes);

MeshData
readStl(std::string_view bytes);

/** \brief Reads a legacy VTK file of polygonal data. */
MeshData
readVtk(std::string_view bytes);

} // namespace pcl::gpu::apps

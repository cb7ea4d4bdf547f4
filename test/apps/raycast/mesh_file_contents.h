// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu::test {

// Contents of mesh files. Each of them describes cubeMesh(1).

/** \brief Returns the vertices of a mesh. */
PointCloud<PointXYZ>
pointsOf(const PolygonMesh& mesh);

/** \brief Returns the corners of a mesh's triangles, one after the other. */
std::vector<std::array<float, 3>>
cornersOf(const PolygonMesh& mesh);

/** \brief Returns a text with each occurrence of a word replaced. */
std::string
replacedAll(const std::string& text, const std::string& from, const std::string& to);

/** \brief Returns the lines of all vertices. */
std::string
vertexLines(const std::string& before, const std::string& behind);

/** \brief Returns the lines of all polygons.
 * \param[in] before the corners of a line
 * \param[in] corner writes a corner
 * \param[in] behind the corners of a line
 */
std::string
faceLines(const std::string& before,
          const std::function<std::string(int vertex)>& corner,
          const std::string& behind = "");

/** \brief Writes a corner as the number of its vertex, from 0. */
std::string
fromZero(int vertex);

/** \brief Returns the faces of an OBJ file.
 * \param[in] before the number of each corner
 * \param[in] behind the number of each corner
 */
std::string
objWith(const std::string& before, const std::string& behind);

/** \brief Ways to write numbers. */
enum class Encoding { Text, Little, Big };

/** \brief Returns a PLY file, with elements and properties of all kinds around the
 * cube.
 * \param[in] encoding of its numbers
 * \param[in] number type of coordinates
 * \param[in] count type of numbers of corners
 * \param[in] index type of corners
 * \param[in] list_name name of the property that has the corners
 */
std::string
plyFile(Encoding encoding,
        const std::string& number,
        const std::string& count,
        const std::string& index,
        const std::string& list_name = "vertex_indices");

/** \brief Returns an STL file that is text. */
std::string
stlText();

/** \brief Returns a binary STL file.
 * \param[in] header its first bytes
 */
std::string
stlBinary(const std::string& header);

/** \brief Returns a legacy VTK file.
 * \param[in] encoding Text or Big
 * \param[in] is_new true for version 5.1, false for 3.0
 * \param[in] number type of coordinates
 */
std::string
vtkFile(Encoding encoding, bool is_new, const std::string& number);

} // namespace pcl::gpu::test

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/TextureMesh.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/pcl_exports.h>

#include <vector>

/** \file
 * \brief PCL's meshes as TriangleMesh.
 */

namespace pcl::gpu {

/** \brief Origin of the triangles and vertices of a converted mesh.
 * \ingroup gpu_raycast
 */
struct TriangleMeshOrigin {
  /** \brief For each triangle the number of its sub-mesh, and so of its material, in a
   * TextureMesh; 0 in a PolygonMesh, which has none. */
  std::vector<int> sub_meshes;
  /** \brief For each triangle the number of its polygon, within its sub-mesh. */
  std::vector<int> polygons;
  /** \brief For each vertex the number of its point in the mesh's cloud. */
  std::vector<int> points;
};

/** \brief Copies a mesh to the calling thread's current device.
 *
 * Vertices are the points of the cloud, in its order. Polygons of more than three
 * vertices are cut into triangles. These are a fan around the first vertex if such a
 * fan covers the polygon, as it does each convex one. Otherwise ears are clipped in the
 * plane across the polygon's mean normal. So polygons may be concave, and need not be
 * plane. Copies the fields normal_x, normal_y and normal_z as they are, if the cloud
 * has them, and colours in rgb or rgba, the former with alpha 255. Takes time linear in
 * the size. A concave polygon takes up to the square of its number of vertices.
 *
 * \param[in] mesh fields x, y and z of the cloud are single or double precision
 * \param[out] origin if not null: the origins of triangles and vertices
 * \return the copy
 * \throws pcl::BadArgumentException naming the field, or polygon and index: a
 * coordinate is missing or no number, the cloud's data is not as large as its size
 * says, a polygon has fewer than three vertices, an index is no point of the cloud
 * \throws DeviceException if the device fails or runs out of memory
 * \ingroup gpu_raycast
 */
PCL_EXPORTS TriangleMesh
toTriangleMesh(const PolygonMesh& mesh, TriangleMeshOrigin* origin = nullptr);

/** \brief Copies a mesh with its texture coordinates to the current device.
 *
 * As the form for a PolygonMesh, but here the corners of polygons have texture
 * coordinates. A point that has several is followed by copies of itself behind the last
 * point, one for each further pair of coordinates; corners without any have NaN. The
 * triangles of the first sub-mesh come first, then those of the second, and so on.
 *
 * Both of PCL's conventions are understood: with tex_coord_indices, as files are read,
 * an index counts through the coordinates of all sub-meshes; without, as TextureMapping
 * leaves them, each sub-mesh has one pair of coordinates a corner, or none.
 *
 * \param[in] mesh fields x, y and z of the cloud are single or double precision
 * \param[out] origin if not null: the origins of triangles and vertices
 * \return the copy; texture_coordinates is empty if the mesh has none at all
 * \throws pcl::BadArgumentException as the form for a PolygonMesh does; also if there
 * are texture coordinates but not one pair a corner, or an index is none of theirs
 * \throws DeviceException if the device fails or runs out of memory
 * \ingroup gpu_raycast
 */
PCL_EXPORTS TriangleMesh
toTriangleMesh(const TextureMesh& mesh, TriangleMeshOrigin* origin = nullptr);

} // namespace pcl::gpu

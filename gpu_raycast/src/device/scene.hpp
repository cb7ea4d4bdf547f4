// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "vector.hpp"

#include <cstddef>
#include <cstdint>

namespace pcl::device {

struct Float2 {
  float x, y;
};

struct Triangle {
  Vector3 a, b, c;
};

/** \brief The arrays of a gpu::TriangleMesh; those that are absent are null. */
struct MeshArrays {
  const Float4* vertices;
  const int* indices;
  const int* triangle_count;
  const Float4* normals;
  const std::uint32_t* colors;
  const Float2* texture_coordinates;
  int vertices_size;
  int triangles_size; ///< triangles that there is room for
};

/** \brief A mesh, and where it stands. */
struct Instance {
  MeshArrays mesh;
  RigidTransform transform; ///< points of the mesh into the frame that rays are cast in
  std::uint32_t first_triangle;
};

/** \brief Number of triangles that are there. */
PCL_GPU_HOST_DEVICE int
triangleCount(const MeshArrays& mesh)
{
  if (!mesh.triangle_count)
    return mesh.triangles_size;
  const int count = *mesh.triangle_count;
  return count < 0 ? 0 : count < mesh.triangles_size ? count : mesh.triangles_size;
}

/** \brief Of a visible triangle no nine coordinates add up to more: products of three stay
 * finite. */
constexpr float max_coordinates = 1e11f;

PCL_GPU_HOST_DEVICE float
sumOfMagnitudes(const Vector3& v)
{
  return fabsf(v.x) + fabsf(v.y) + fabsf(v.z);
}

/** \brief Whether all coordinates are numbers that the test of rays can work with. */
PCL_GPU_HOST_DEVICE bool
isUsable(const Vector3& v)
{
  return sumOfMagnitudes(v) <= max_coordinates;
}

PCL_GPU_HOST_DEVICE bool
isUsable(const Triangle& triangle)
{
  // A sum, unlike a maximum, keeps what is not a number.
  return sumOfMagnitudes(triangle.a) + sumOfMagnitudes(triangle.b) +
             sumOfMagnitudes(triangle.c) <=
         max_coordinates;
}

PCL_GPU_HOST_DEVICE Vector3
loadVertex(const Float4* vertices, int index)
{
  const Float4 v = vertices[index];
  return {v.x, v.y, v.z};
}

/** \brief The vertex numbers of a triangle.
 * \return false if one of them is no vertex
 */
PCL_GPU_HOST_DEVICE bool
loadIndices(const MeshArrays& mesh, int triangle, int (&indices)[3])
{
  const int* const from = mesh.indices + 3 * static_cast<std::size_t>(triangle);
  const auto size = static_cast<unsigned int>(mesh.vertices_size);
  for (int i = 0; i < 3; ++i)
    indices[i] = from[i];
  // Evaluated as a whole: the three loads are then on their way together.
  const bool valid = (static_cast<unsigned int>(indices[0]) < size) &
                     (static_cast<unsigned int>(indices[1]) < size) &
                     (static_cast<unsigned int>(indices[2]) < size);
  return valid;
}

/** \brief A triangle in the frame that rays are cast in.
 * \return false if the triangle is invisible: a vertex is missing or not usable
 */
PCL_GPU_HOST_DEVICE bool
loadTriangle(const MeshArrays& mesh,
             const RigidTransform& transform,
             int number,
             Triangle& triangle)
{
  int indices[3];
  if (!loadIndices(mesh, number, indices))
    return false;
  triangle.a = transformPoint(transform, loadVertex(mesh.vertices, indices[0]));
  triangle.b = transformPoint(transform, loadVertex(mesh.vertices, indices[1]));
  triangle.c = transformPoint(transform, loadVertex(mesh.vertices, indices[2]));
  return isUsable(triangle);
}

} // namespace pcl::device

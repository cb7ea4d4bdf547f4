// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/raycast/culling.h>
#include <pcl/gpu/utils/internal/device/scalar_math.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Meshes as kernels and loops see them.
//
// This module is compiled without contraction of products and sums into fused
// operations: the watertight test rests on it, and so does equality of host and CUDA.

namespace pcl::device {

using gpu::Culling;

template <typename T>
PCL_GPU_HOST_DEVICE T&
at(PtrStep<T> image, int row, int x)
{
  return image.ptr(row)[x];
}

/** \brief The bits of positive numbers are ordered as the numbers are. */
PCL_GPU_HOST_DEVICE std::uint32_t
bitsOf(float a)
{
  std::uint32_t bits;
  memcpy(&bits, &a, sizeof(bits));
  return bits;
}

PCL_GPU_HOST_DEVICE float
floatOf(std::uint32_t bits)
{
  float a;
  memcpy(&a, &bits, sizeof(a));
  return a;
}

#define PCL_GPU_RAY_MATH PCL_GPU_HOST_DEVICE
#include "scene/ray_math-inl.h"
#undef PCL_GPU_RAY_MATH

using PlanePoint = PlanePointOf<float>;

/** \brief The rotation of \a transform only. */
PCL_GPU_HOST_DEVICE Vector3
rotate(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  return {rotatedCoordinate(m[0], v.x, v.y, v.z),
          rotatedCoordinate(m[1], v.x, v.y, v.z),
          rotatedCoordinate(m[2], v.x, v.y, v.z)};
}

PCL_GPU_HOST_DEVICE Vector3
transformPoint(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  return {transformedCoordinate(m[0], v.x, v.y, v.z),
          transformedCoordinate(m[1], v.x, v.y, v.z),
          transformedCoordinate(m[2], v.x, v.y, v.z)};
}

/** \brief The largest magnitude. */
PCL_GPU_HOST_DEVICE float
largestCoordinate(const Vector3& v)
{
  return maximum(fabsf(v.x), maximum(fabsf(v.y), fabsf(v.z)));
}

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

/** \brief A mesh, and its place. */
struct Instance {
  MeshArrays mesh;
  RigidTransform transform; ///< points of the mesh into the frame that rays are cast in
  std::uint32_t first_triangle;
};

/** \brief Returns the number of triangles that exist. */
PCL_GPU_HOST_DEVICE int
triangleCount(const MeshArrays& mesh)
{
  if (!mesh.triangle_count)
    return mesh.triangles_size;
  const int count = *mesh.triangle_count;
  return count < 0 ? 0 : count < mesh.triangles_size ? count : mesh.triangles_size;
}

/** \brief Of a visible triangle no nine coordinates add up to more: products of three
 * stay finite. */
constexpr float max_coordinates = 1e11f;

PCL_GPU_HOST_DEVICE float
sumOfMagnitudes(const Vector3& v)
{
  return fabsf(v.x) + fabsf(v.y) + fabsf(v.z);
}

/** \brief Returns whether all coordinates are numbers that the test of rays can work
 * with. */
PCL_GPU_HOST_DEVICE bool
isUsable(const Vector3& v)
{
  return sumOfMagnitudes(v) <= max_coordinates;
}

PCL_GPU_HOST_DEVICE bool
isUsable(const Triangle& triangle)
{
  // A sum, unlike a maximum, keeps NaN.
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

/** \brief Returns the instance of a triangle; instances are ordered by their first
 * triangle. */
PCL_GPU_HOST_DEVICE int
findInstance(const Instance* instances, int count, std::uint32_t triangle)
{
  int low = 0;
  int high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    // Empty instances share their first triangle with the next: the last one has it.
    if (instances[middle].first_triangle <= triangle)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/** \brief The vertex numbers of a triangle of an instance, by its id.
 * \return false if one of them is no vertex
 */
PCL_GPU_HOST_DEVICE bool
loadIndices(const Instance& instance, std::uint32_t id, int (&indices)[3])
{
  const int* const from = instance.mesh.indices +
                          3 * static_cast<std::size_t>(id - instance.first_triangle);
  const auto size = static_cast<unsigned int>(instance.mesh.vertices_size);
  for (int i = 0; i < 3; ++i)
    indices[i] = from[i];
  // Evaluated as a whole: the three loads are then on their way together.
  const bool valid = (static_cast<unsigned int>(indices[0]) < size) &
                     (static_cast<unsigned int>(indices[1]) < size) &
                     (static_cast<unsigned int>(indices[2]) < size);
  return valid;
}

/** \brief A triangle of an instance, by its id, in the frame that rays are cast in.
 * \return false if the triangle is invisible: a vertex is missing or not usable
 */
PCL_GPU_HOST_DEVICE bool
loadTriangle(const Instance& instance, std::uint32_t id, Triangle& triangle)
{
  const Float4* const vertices = instance.mesh.vertices;
  const RigidTransform& transform = instance.transform;
  int indices[3];
  if (!loadIndices(instance, id, indices))
    return false;
  triangle.a = transformPoint(transform, loadVertex(vertices, indices[0]));
  triangle.b = transformPoint(transform, loadVertex(vertices, indices[1]));
  triangle.c = transformPoint(transform, loadVertex(vertices, indices[2]));
  return isUsable(triangle);
}

/** \brief The same of a triangle that may lie behind those that exist.
 * \return false if it does, or is invisible
 */
PCL_GPU_HOST_DEVICE bool
loadIfExists(const Instance& instance, std::uint32_t id, Triangle& triangle)
{
  return static_cast<int>(id - instance.first_triangle) <
             triangleCount(instance.mesh) &&
         loadTriangle(instance, id, triangle);
}

/** \brief Moves a point along the plane so that a line through the origin becomes the z
 * axis. */
PCL_GPU_HOST_DEVICE PlanePoint
sheared(const Vector3& v, const PlanePoint& slopes)
{
  return sheared(v.x, v.y, v.z, slopes);
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

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

/** \brief Sides that a ray may hit: the order of gpu::Culling. */
enum class HitSides : int { Both, Front, Back };

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
loadTriangle(const Instance& instance, int number, Triangle& triangle)
{
  const MeshArrays& mesh = instance.mesh;
  const RigidTransform& transform = instance.transform;
  int indices[3];
  if (!loadIndices(mesh, number, indices))
    return false;
  triangle.a = transformPoint(transform, loadVertex(mesh.vertices, indices[0]));
  triangle.b = transformPoint(transform, loadVertex(mesh.vertices, indices[1]));
  triangle.c = transformPoint(transform, loadVertex(mesh.vertices, indices[2]));
  return isUsable(triangle);
}

/** \brief The same of a triangle that the instance has, by its id. */
PCL_GPU_HOST_DEVICE bool
loadTriangleOf(const Instance& instance, std::uint32_t id, Triangle& triangle)
{
  return loadTriangle(
      instance, static_cast<int>(id - instance.first_triangle), triangle);
}

// The test of a ray and a triangle for one of each; see ray_math-inl.h.

/** \brief A hit of a ray and a triangle (a, b, c). */
struct TriangleHit {
  float t; ///< along the ray, in lengths of its direction
  float u; ///< weight of b
  float v; ///< weight of c
};

/** \brief Moves a point along the plane so that a line through the origin becomes the z
 * axis. */
PCL_GPU_HOST_DEVICE PlanePoint
sheared(const Vector3& v, const PlanePoint& slopes)
{
  return sheared(v.x, v.y, v.z, slopes);
}

/** \brief A weight with the right sign, where the rounded one is 0 for p and q. */
PCL_GPU_HOST_DEVICE float
exactWeight(float rounded, const PlanePoint& p, const PlanePoint& q)
{
  return rounded != 0.0f ? rounded
                         : static_cast<float>(static_cast<double>(p.x) * q.y -
                                              static_cast<double>(p.y) * q.x);
}

/** \brief Returns whether the z axis passes through a sheared triangle, edges included.
 * \param[in] a a vertex in the plane, as \a b and \a c
 * \param[in] heights of the vertices above the plane
 * \param[out] hit where, if it does; t lies within the range of heights
 */
PCL_GPU_HOST_DEVICE bool
hitsShearedTriangle(const PlanePoint& a,
                    const PlanePoint& b,
                    const PlanePoint& c,
                    const Vector3& heights,
                    HitSides sides,
                    TriangleHit& hit)
{
  CornerWeights<float> weights = roundedWeights(a, b, c);
  if (weights.a == 0.0f || weights.b == 0.0f || weights.c == 0.0f)
    weights = {exactWeight(weights.a, b, c),
               exactWeight(weights.b, c, a),
               exactWeight(weights.c, a, b)};
  const WeightSigns<bool> signs = signsOf(weights);
  if (signs.negative == signs.positive)
    return false;
  // Not a switch: CUDA would branch for each triangle.
  if ((sides == HitSides::Front && signs.positive) ||
      (sides == HitSides::Back && signs.negative))
    return false;
  const float sum = weights.a + weights.b + weights.c;
  hit.t = heightOfHit(weights,
                      sum,
                      heights.x,
                      heights.y,
                      heights.z,
                      minimum(heights.x, minimum(heights.y, heights.z)),
                      maximum(heights.x, maximum(heights.y, heights.z)));
  hit.u = weights.b / sum;
  hit.v = weights.c / sum;
  return true;
}

} // namespace pcl::device

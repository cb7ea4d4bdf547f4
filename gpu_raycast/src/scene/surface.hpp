// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/camera.hpp"

// The surface at a hit: its normal, colour and texture coordinates.

namespace pcl::device {

PCL_GPU_HOST_DEVICE float
notANumber()
{
  return NAN;
}

PCL_GPU_HOST_DEVICE Float4
asFloat4(const Vector3& v)
{
  return {v.x, v.y, v.z, 1.0f};
}

PCL_GPU_HOST_DEVICE Vector3
notAVector()
{
  return {notANumber(), notANumber(), notANumber()};
}

/** \brief Returns a vector of length 1; NaN if \a v has no direction. */
PCL_GPU_HOST_DEVICE Vector3
normalized(const Vector3& v)
{
  const float largest = largestCoordinate(v);
  if (!(largest > 0.0f))
    return notAVector();
  const Vector3 scaled = {v.x / largest, v.y / largest, v.z / largest};
  const float length = sqrtf(dot(scaled, scaled));
  return {scaled.x / length, scaled.y / length, scaled.z / length};
}

/** \brief Two unit vectors that are orthogonal to a third and to each other. */
PCL_GPU_HOST_DEVICE void
makeBasis(const Vector3& normal, Vector3& u, Vector3& v)
{
  // Across the axis that the normal is farthest from.
  const Vector3 size = {fabsf(normal.x), fabsf(normal.y), fabsf(normal.z)};
  const bool x_is_least = size.x <= size.y && size.x <= size.z;
  const Vector3 axis = x_is_least         ? Vector3{1.0f, 0.0f, 0.0f}
                       : size.y <= size.z ? Vector3{0.0f, 1.0f, 0.0f}
                                          : Vector3{0.0f, 0.0f, 1.0f};
  u = normalized(cross(normal, axis));
  v = cross(normal, u);
}

PCL_GPU_HOST_DEVICE float
blend(const TriangleHit& hit, float a, float b, float c)
{
  return (1.0f - hit.u - hit.v) * a + hit.u * b + hit.v * c;
}

PCL_GPU_HOST_DEVICE std::uint32_t
blendChannel(const TriangleHit& hit,
             std::uint32_t a,
             std::uint32_t b,
             std::uint32_t c,
             int shift)
{
  const float value = blend(hit,
                            static_cast<float>(a >> shift & 255u),
                            static_cast<float>(b >> shift & 255u),
                            static_cast<float>(c >> shift & 255u));
  const float rounded = minimum(maximum(value + 0.5f, 0.0f), 255.0f);
  return static_cast<std::uint32_t>(rounded) << shift;
}

PCL_GPU_HOST_DEVICE std::uint32_t
colorAt(const MeshArrays& mesh, const int (&indices)[3], const TriangleHit& hit)
{
  if (!mesh.colors)
    return 0xffffffffu;
  const std::uint32_t a = mesh.colors[indices[0]];
  const std::uint32_t b = mesh.colors[indices[1]];
  const std::uint32_t c = mesh.colors[indices[2]];
  return blendChannel(hit, a, b, c, 0) | blendChannel(hit, a, b, c, 8) |
         blendChannel(hit, a, b, c, 16) | blendChannel(hit, a, b, c, 24);
}

PCL_GPU_HOST_DEVICE Float2
textureAt(const MeshArrays& mesh, const int (&indices)[3], const TriangleHit& hit)
{
  if (!mesh.texture_coordinates)
    return {notANumber(), notANumber()};
  const Float2 a = mesh.texture_coordinates[indices[0]];
  const Float2 b = mesh.texture_coordinates[indices[1]];
  const Float2 c = mesh.texture_coordinates[indices[2]];
  return {blend(hit, a.x, b.x, c.x), blend(hit, a.y, b.y, c.y)};
}

/** \brief The unit normal, in the frame that rays are cast in, on the ray's side.
 * \param[in] direction of the ray
 */
PCL_GPU_HOST_DEVICE Vector3
normalAt(const Instance& instance,
         const int (&indices)[3],
         const Triangle& triangle,
         const TriangleHit& hit,
         const Vector3& direction,
         bool smooth)
{
  const Vector3 flat =
      normalized(cross(triangle.b - triangle.a, triangle.c - triangle.a));
  const Vector3 facing = dot(flat, direction) > 0.0f ? -1.0f * flat : flat;
  Vector3 normal = facing;
  if (smooth && instance.mesh.normals) {
    const Vector3 a = loadVertex(instance.mesh.normals, indices[0]);
    const Vector3 b = loadVertex(instance.mesh.normals, indices[1]);
    const Vector3 c = loadVertex(instance.mesh.normals, indices[2]);
    const Vector3 between = {blend(hit, a.x, b.x, c.x),
                             blend(hit, a.y, b.y, c.y),
                             blend(hit, a.z, b.z, c.z)};
    normal = normalized(rotate(instance.transform, between));
  }
  // Normals of vertices need not agree with the order in which triangles name them.
  return dot(normal, facing) < 0.0f ? -1.0f * normal : normal;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/hit_key.hpp"

#include <pcl/gpu/containers/kernel_containers.h>

namespace pcl::device {

using gpu::PtrStep;

/** \brief A camera, and its place. */
struct View {
  CameraModel camera;
  RigidTransform to_world;
};

/** \brief The images of a gpu::RayCastImages; those not asked for have a null
 * pointer. */
struct ImageArrays {
  PtrStep<float> depth;
  PtrStep<int> triangles;
  PtrStep<Float2> barycentrics;
  PtrStep<Float4> points;
  PtrStep<Float4> normals;
  PtrStep<std::uint32_t> colors;
  PtrStep<Float2> texture_coordinates;
  bool in_world_frame;
  bool smooth;

  /** \brief Returns whether an image is asked for that takes more than the hit's
   * key. */
  PCL_GPU_HOST_DEVICE bool
  needTriangles() const
  {
    return barycentrics.data || points.data || normals.data || colors.data ||
           texture_coordinates.data;
  }
};

template <typename T>
PCL_GPU_HOST_DEVICE T&
at(PtrStep<T> image, int row, int x)
{
  return image.ptr(row)[x];
}

PCL_GPU_HOST_DEVICE float
notANumber()
{
  return NAN;
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
  const float largest = maximum(fabsf(v.x), maximum(fabsf(v.y), fabsf(v.z)));
  if (!(largest > 0.0f))
    return notAVector();
  const Vector3 scaled = {v.x / largest, v.y / largest, v.z / largest};
  const float length = sqrtf(dot(scaled, scaled));
  return {scaled.x / length, scaled.y / length, scaled.z / length};
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

/** \brief Writes one pixel of the images that take the triangle which was hit.
 * \param[in] instances of the view, in order
 * \param[in] row of the images; \a y is that of the view
 */
PCL_GPU_HOST_DEVICE void
writeSurface(const Instance* instances,
             int instance_count,
             const View& view,
             int x,
             int y,
             int row,
             HitKey key,
             const ImageArrays& images)
{
  TriangleHit hit = {notANumber(), notANumber(), notANumber()};
  Vector3 point = notAVector();
  Vector3 normal = notAVector();
  std::uint32_t color = 0;
  Float2 texture = {notANumber(), notANumber()};
  if (key != no_hit) {
    const CameraModel& camera = view.camera;
    const std::uint32_t id = triangleOf(key);
    const Instance& instance = instances[findInstance(instances, instance_count, id)];
    const int number = static_cast<int>(id - instance.first_triangle);
    const PlanePoint slopes = pixelSlopes(camera, x, y);
    Triangle triangle{};
    int indices[3];
    loadIndices(instance.mesh, number, indices);
    loadTriangle(instance, number, triangle);
    hitsTriangle(camera, slopes, triangle, hit);
    const float w = camera.orthographic ? 1.0f : hit.t;
    point = {slopes.x * w, slopes.y * w, hit.t};
    const Vector3 direction = camera.orthographic ? Vector3{0.0f, 0.0f, 1.0f}
                                                  : Vector3{slopes.x, slopes.y, 1.0f};
    if (images.normals.data)
      normal = normalAt(instance, indices, triangle, hit, direction, images.smooth);
    if (images.in_world_frame) {
      point = transformPoint(view.to_world, point);
      normal = rotate(view.to_world, normal);
    }
    if (images.colors.data)
      color = colorAt(instance.mesh, indices, hit);
    if (images.texture_coordinates.data)
      texture = textureAt(instance.mesh, indices, hit);
  }
  if (images.barycentrics.data)
    at(images.barycentrics, row, x) = {hit.u, hit.v};
  if (images.points.data)
    at(images.points, row, x) = asFloat4(point);
  if (images.normals.data)
    at(images.normals, row, x) = {normal.x, normal.y, normal.z, 0.0f};
  if (images.colors.data)
    at(images.colors, row, x) = color;
  if (images.texture_coordinates.data)
    at(images.texture_coordinates, row, x) = texture;
}

/** \brief Writes one pixel of all images that are asked for. */
PCL_GPU_HOST_DEVICE void
writePixel(const Instance* instances,
           int instance_count,
           const View& view,
           int x,
           int y,
           int row,
           HitKey key,
           const ImageArrays& images)
{
  if (images.depth.data)
    at(images.depth, row, x) = key == no_hit ? notANumber() : depthOf(key);
  if (images.triangles.data)
    at(images.triangles, row, x) =
        key == no_hit ? -1 : static_cast<int>(triangleOf(key));
  if (images.needTriangles())
    writeSurface(instances, instance_count, view, x, y, row, key, images);
}

} // namespace pcl::device

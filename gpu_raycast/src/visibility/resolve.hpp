// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/surface.hpp"
#include "visibility/visibility.h"

// From the key of a pixel's hit to its images.

namespace pcl::device {

/** \brief Writes one pixel of the images that take the hit's key only.
 * \param[in] row of the images
 */
PCL_GPU_HOST_DEVICE void
writeKey(const ImageArrays& images, int row, int x, HitKey key)
{
  if (images.depth.data)
    at(images.depth, row, x) = key == no_hit ? notANumber() : depthOf(key);
  if (images.triangles.data)
    at(images.triangles, row, x) = static_cast<int>(triangleOf(key)); // no_hit makes -1
}

/** \brief Writes one pixel of the images that take the triangle which was hit. */
PCL_GPU_HOST_DEVICE void
writeSurface(const CastTask& task, int view_number, int x, int y, HitKey key)
{
  const ImageArrays& images = task.images;
  TriangleHit hit = {notANumber(), notANumber(), notANumber()};
  Vector3 point = notAVector();
  Vector3 normal = notAVector();
  std::uint32_t color = 0;
  Float2 texture = {notANumber(), notANumber()};
  if (key != no_hit) {
    const View& view = task.device_views[view_number];
    const CameraModel& camera = view.camera;
    const std::uint32_t id = triangleOf(key);
    const Instance& instance = task.deviceInstance(view_number, id);
    const PlanePoint slopes = pixelSlopes(camera, x, y);
    Triangle triangle{};
    int indices[3];
    loadIndices(instance, id, indices);
    loadTriangle(instance, id, triangle);
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
  const int row = task.firstRow(view_number) + y;
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

/** \brief Writes one pixel of all images that are asked for and can be made here. */
PCL_GPU_HOST_DEVICE void
writePixel(const CastTask& task, int view, int x, int y, HitKey key)
{
  writeKey(task.images, task.firstRow(view) + y, x, key);
  if (task.images.needTriangles() && task.owns(key))
    writeSurface(task, view, x, y, key);
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/exact_cell.hpp"
#include "gathering/volumes/volumes.h"

#include <cmath>

// The samples of an output pixel's query volume, and its place in an input frame.

namespace pcl::device {

/** \brief A point in metres, or (x d, y d, d) of an input pixel. */
struct VolumePoint {
  double x, y, z;
};

PCL_GPU_HOST_DEVICE VolumePoint
transformed(const double (&m)[3][4], const VolumePoint& point)
{
  return {m[0][0] * point.x + m[0][1] * point.y + m[0][2] * point.z + m[0][3],
          m[1][0] * point.x + m[1][1] * point.y + m[1][2] * point.z + m[1][3],
          m[2][0] * point.x + m[2][1] * point.y + m[2][2] * point.z + m[2][3]};
}

/** \brief The sizes of transformed()'s addends: its errors are a few roundings of
 * them. */
PCL_GPU_HOST_DEVICE VolumePoint
addendSizes(const double (&m)[3][4], const VolumePoint& point)
{
  const double x = std::fabs(point.x), y = std::fabs(point.y), z = std::fabs(point.z);
  const auto along = [&](const double(&line)[4]) {
    return std::fabs(line[0]) * x + std::fabs(line[1]) * y + std::fabs(line[2]) * z +
           std::fabs(line[3]);
  };
  return {along(m[0]), along(m[1]), along(m[2])};
}

/** \brief (x d, y d, d). */
PCL_GPU_HOST_DEVICE VolumePoint
scaledPixel(double column, double row, double depth)
{
  return {column * depth, row * depth, depth};
}

/** \brief An output pixel's query volume. */
struct PixelVolume {
  int column, row;
  bool exists;        ///< pixels without depth have only frustums
  VolumePoint center; ///< the pixel's own point; of no frustum
};

PCL_GPU_HOST_DEVICE PixelVolume
pixelVolume(const VolumeTask& task, int column, int row)
{
  PixelVolume volume{column, row, true, {}};
  if (task.shape.kind == VolumeKind::Frustum)
    return volume;
  const float depth = task.reference_depth.ptr(row)[column];
  volume.exists = gpu::isMeasuredDepth(depth);
  const double z = depth;
  volume.center = {z * ((column - static_cast<double>(task.view.cx)) / task.view.fx),
                   z * ((row - static_cast<double>(task.view.cy)) / task.view.fy),
                   z};
  return volume;
}

/** \brief Returns whether a point is in a volume that is no frustum.
 * \param[in] point from the volume's centre, metres
 */
PCL_GPU_HOST_DEVICE bool
contains(const QueryShape& shape, const VolumePoint& point)
{
  if (shape.kind == VolumeKind::Sphere)
    return point.x * point.x + point.y * point.y + point.z * point.z <=
           shape.square_radius;
  for (int i = 0; i < shape.half_space_count; ++i) {
    const auto& plane = shape.half_spaces[i];
    if (!(plane[0] * point.x + plane[1] * point.y + plane[2] * point.z <= plane[3]))
      return false;
  }
  return true;
}

/** \brief Returns whether an input pixel is a sample of a volume. Double precision
 * decides.
 * \param[in] depth of the input pixel, a depth
 */
PCL_GPU_HOST_DEVICE bool
contains(const VolumeTask& task,
         const VolumeFrame& frame,
         const PixelVolume& volume,
         int column,
         int row,
         float depth)
{
  const ViewGeometry& view = task.view;
  if (task.shape.kind == VolumeKind::Frustum) {
    const Cell cell =
        exactCell(frame.frame.projection, view, column, row, depth, max_footprint);
    return cell.column >= volume.column - view.cellsBefore() &&
           cell.column <= volume.column + view.cellsAfter() &&
           cell.row >= volume.row - view.cellsBefore() &&
           cell.row <= volume.row + view.cellsAfter();
  }
  const VolumePoint point =
      transformed(frame.to_point, scaledPixel(column, row, depth));
  return contains(task.shape,
                  {point.x - volume.center.x,
                   point.y - volume.center.y,
                   point.z - volume.center.z});
}

/** \brief Millionths that extents are larger than they need be, for their own
 * roundings. */
constexpr double extent_reserve = 1.0 / (1 << 20);

/** \brief Between which depths a frame has samples.
 * \param[in] depths of the frame itself
 */
PCL_GPU_HOST_DEVICE FrameExtent
frameExtent(const VolumeFrame& frame, const DepthRange& depths)
{
  FrameExtent extent{{depths.nearest * (1.0 - extent_reserve),
                      depths.farthest * (1.0 + extent_reserve)},
                     {1e300, -1e300}};
  // Depth in the output camera is linear in (x d, y d, d): corners have its extremes.
  for (int corner = 0; corner < 8; ++corner) {
    const VolumePoint pixel =
        scaledPixel(corner & 1 ? frame.frame.images.columns - 1.0 : 0.0,
                    corner & 2 ? frame.frame.images.rows - 1.0 : 0.0,
                    corner & 4 ? extent.own.farthest : extent.own.nearest);
    const double z = transformed(frame.to_point, pixel).z;
    const double reserve = extent_reserve * addendSizes(frame.to_point, pixel).z;
    extent.view.nearest = std::fmin(extent.view.nearest, z - reserve);
    extent.view.farthest = std::fmax(extent.view.farthest, z + reserve);
  }
  return extent;
}

/** \brief Between which depths in the output camera a frame may have samples of a
 * volume; only for frustums. */
PCL_GPU_HOST_DEVICE DepthInterval
viewDepths(const ViewGeometry& view, const FrameExtent& extent)
{
  const double nearest = view.near_depth, farthest = view.far_depth;
  return {std::fmax(nearest, extent.view.nearest),
          std::fmin(farthest, extent.view.farthest)};
}

/** \brief A vertex of the polyhedron around a volume, in the output camera's frame. */
PCL_GPU_HOST_DEVICE VolumePoint
volumeVertex(const VolumeTask& task,
             const PixelVolume& volume,
             const DepthInterval& depths,
             int number)
{
  const auto& vertex = task.shape.vertices[number];
  if (task.shape.kind != VolumeKind::Frustum)
    return {volume.center.x + vertex[0],
            volume.center.y + vertex[1],
            volume.center.z + vertex[2]};
  const ViewGeometry& view = task.view;
  const double half = 0.5 * view.footprint;
  const double u = volume.column + vertex[0] * half + cell_tolerance;
  const double v = volume.row + vertex[1] * half + cell_tolerance;
  const double z = vertex[2] < 0.0 ? depths.nearest : depths.farthest;
  return {z * ((u - view.cx) / view.fx), z * ((v - view.cy) / view.fy), z};
}

/** \brief Roundings, here and in tests of samples, are a few 2^-53 of the sizes of
 * addends: this is thousands of them. */
constexpr double rounding = 1.0 / (1ll << 40);

/** \brief Between which depths a frame sees a volume that is no frustum: samples have
 * no others. */
PCL_GPU_HOST_DEVICE DepthInterval
seenDepths(const VolumeTask& task, const VolumeFrame& frame, const PixelVolume& volume)
{
  DepthInterval seen{1e300, -1e300};
  for (int i = 0; i < task.shape.vertex_count; ++i) {
    const VolumePoint vertex = volumeVertex(task, volume, {}, i);
    const double depth = transformed(frame.to_pixel, vertex).z;
    const double margin = rounding * addendSizes(frame.to_pixel, vertex).z;
    seen = {std::fmin(seen.nearest, depth - margin),
            std::fmax(seen.farthest, depth + margin)};
  }
  return seen;
}

/** \brief The place of an edge at a depth between those of its ends. */
PCL_GPU_HOST_DEVICE ImagePoint
crossing(const VolumePoint& from, const VolumePoint& to, double depth)
{
  const double part = (depth - from.z) / (to.z - from.z);
  return {(from.x + part * (to.x - from.x)) / depth,
          (from.y + part * (to.y - from.y)) / depth};
}

/** \brief A volume as an input frame sees it. */
struct ProjectedVolume {
  ConvexHull<max_hull_points> hull;
  double margin; ///< pixels that the hull must be grown by
};

/** \brief Projects a volume into an input frame: a hull with its tables, without points
 * if the frame has no samples between the volume's depths.
 *
 * The polyhedron around the volume is cut off at the nearest and at the farthest depth
 * that the frame has. Its edges are cut one by one: only their ends are new, and only
 * points matter to a hull. Everything is in front of the frame's camera then, and
 * finite.
 *
 * The margin is for roundings, and a thousandth of a pixel more. Where these could
 * matter to the nearest depth itself, the whole image may have samples.
 */
PCL_GPU_HOST_DEVICE void
projectVolume(const VolumeTask& task,
              const VolumeFrame& frame,
              const FrameExtent& extent,
              const PixelVolume& volume,
              ProjectedVolume& projected)
{
  constexpr double whole_image = 1e6;
  const DepthInterval depths = viewDepths(task.view, extent);
  const bool is_frustum = task.shape.kind == VolumeKind::Frustum;
  projected.hull.count = 0;
  if (extent.own.nearest > extent.own.farthest || !volume.exists ||
      (is_frustum && depths.nearest > depths.farthest))
    return;
  VolumePoint vertices[max_volume_vertices];
  VolumePoint sizes{};
  for (int i = 0; i < task.shape.vertex_count; ++i) {
    const VolumePoint vertex = volumeVertex(task, volume, depths, i);
    const VolumePoint addends = addendSizes(frame.to_pixel, vertex);
    sizes = {std::fmax(sizes.x, addends.x),
             std::fmax(sizes.y, addends.y),
             std::fmax(sizes.z, addends.z)};
    const VolumePoint pixel = vertices[i] = transformed(frame.to_pixel, vertex);
    if (pixel.z >= extent.own.nearest && pixel.z <= extent.own.farthest)
      projected.hull.add({pixel.x / pixel.z, pixel.y / pixel.z});
  }
  for (int i = 0; i < task.shape.edge_count; ++i) {
    const VolumePoint& from = vertices[task.shape.edges[i][0]];
    const VolumePoint& to = vertices[task.shape.edges[i][1]];
    if ((from.z < extent.own.nearest) != (to.z < extent.own.nearest))
      projected.hull.add(crossing(from, to, extent.own.nearest));
    if ((from.z > extent.own.farthest) != (to.z > extent.own.farthest))
      projected.hull.add(crossing(from, to, extent.own.farthest));
  }
  const double z_ratio = sizes.z / extent.own.nearest;
  projected.margin = 1.0 / 1024.0 + rounding * std::fmax(sizes.x, sizes.y) /
                                        extent.own.nearest * (1.0 + z_ratio);
  if (!(rounding * z_ratio < 0.5 * extent_reserve)) {
    projected.hull.count = 0;
    projected.hull.add({0.0, 0.0});
    projected.margin = whole_image;
  }
  if (projected.hull.count > 0)
    projected.hull.march();
}

} // namespace pcl::device

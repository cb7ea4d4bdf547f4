// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

#include <pcl/gpu/utils/device/vector3.hpp>

#include <cmath>

// Areas of a triangle in the voxels of a grid. Coordinates are in voxels, from the grid's
// corner: voxel (i, j, k) reaches from these numbers to the next ones.

namespace pcl {
namespace device {

/** \brief From the points' frame into that of a tensor's grid. */
struct GridTransform {
  Vector3 x, y, z; ///< the frame's axes over the voxel size
  Vector3 origin;  ///< the grid's middle
  float middle;    ///< its coordinates, all three

  PCL_GPU_HOST_DEVICE Vector3
  operator()(const Vector3& p) const
  {
    // The difference comes first: it loses nothing, however far the points are.
    const Vector3 d = p - origin;
    return {dot(x, d) + middle, dot(y, d) + middle, dot(z, d) + middle};
  }
};

PCL_GPU_HOST_DEVICE GridTransform
gridTransform(const TensorFrame& frame, int grid_size)
{
  const float scale = 1.0f / frame.voxel_size;
  const auto axis = [scale](const float* a) {
    return Vector3{scale * a[0], scale * a[1], scale * a[2]};
  };
  return {axis(frame.x_axis),
          axis(frame.y_axis),
          axis(frame.z_axis),
          {frame.origin[0], frame.origin[1], frame.origin[2]},
          0.5f * grid_size};
}

/** \brief A triangle, and its area in faces of a voxel. */
struct GridTriangle {
  Vector3 a, b, c;
  float area;
};

PCL_GPU_HOST_DEVICE GridTriangle
makeGridTriangle(const Vector3& a, const Vector3& b, const Vector3& c)
{
  const Vector3 normal = cross(b - a, c - a);
  return {a, b, c, 0.5f * sqrtf(dot(normal, normal))};
}

/** \brief The planes between voxels, and those at the grid's ends, along one axis. */
struct AxisRange {
  float first, last; ///< numbers of the planes; whole numbers
};

/** \brief The voxels that areas are wanted of: all along x and y, some layers along z. */
struct GridRange {
  int size; ///< voxels along x and y
  AxisRange x, y, z;
};

/** \brief The range of \a layers layers of voxels from number \a first on. */
PCL_GPU_HOST_DEVICE GridRange
gridRange(int size, int first, int layers)
{
  const AxisRange all = {0.0f, static_cast<float>(size)};
  return {
      size, all, all, {static_cast<float>(first), static_cast<float>(first + layers)}};
}

/** \brief Where a triangle lies along one axis. */
struct AxisSpan {
  float low, high;
  float first, last; ///< the planes that cut it; first > last if none does

  PCL_GPU_HOST_DEVICE
  AxisSpan(float a, float b, float c, const AxisRange& range)
  : low(fminf(a, fminf(b, c)))
  , high(fmaxf(a, fmaxf(b, c)))
  , first(fmaxf(range.first, floorf(low) + 1.0f))
  , last(fminf(range.last, ceilf(high) - 1.0f))
  {}

  /** \brief Whether it lies between the range's ends, at least in part. */
  PCL_GPU_HOST_DEVICE bool
  reaches(const AxisRange& range) const
  {
    return low < range.last && (low >= range.first || high > range.first);
  }

  PCL_GPU_HOST_DEVICE bool
  isCut() const
  {
    return first <= last;
  }

  /** \brief How many planes cut it, if any: one at least. */
  PCL_GPU_HOST_DEVICE float
  cuts() const
  {
    return fmaxf(0.0f, last - first + 1.0f);
  }

  /** \brief One of the planes that cut it, in their middle. */
  PCL_GPU_HOST_DEVICE float
  plane() const
  {
    return floorf(0.5f * (first + last));
  }
};

/** \brief Where a triangle lies in the grid. */
struct GridSpan {
  AxisSpan x, y, z;

  PCL_GPU_HOST_DEVICE
  GridSpan(const GridTriangle& t, const GridRange& range)
  : x(t.a.x, t.b.x, t.c.x, range.x)
  , y(t.a.y, t.b.y, t.c.y, range.y)
  , z(t.a.z, t.b.z, t.c.z, range.z)
  {}

  PCL_GPU_HOST_DEVICE bool
  reaches(const GridRange& range) const
  {
    return x.reaches(range.x) && y.reaches(range.y) && z.reaches(range.z);
  }
};

/** \brief A plane across one axis cuts off a corner of a triangle. */
struct CornerCut {
  Vector3 corner; ///< the one that is alone on its side
  Vector3 b, c;   ///< the others, in their order
  bool above;     ///< whether the corner is
  float s, t;     ///< how far along the edges to b and c the plane lies

  /** \param[in] axis a member of Vector3 */
  PCL_GPU_HOST_DEVICE
  CornerCut(const GridTriangle& triangle, float Vector3::*axis, float plane)
  : corner(triangle.a)
  , b(triangle.b)
  , c(triangle.c)
  {
    const bool a_above = corner.*axis > plane;
    const bool b_above = b.*axis > plane;
    const bool c_above = c.*axis > plane;
    above = a_above;
    if (a_above == c_above) {
      corner = triangle.b;
      b = triangle.c;
      c = triangle.a;
      above = b_above;
    }
    else if (a_above == b_above) {
      corner = triangle.c;
      b = triangle.a;
      c = triangle.b;
      above = c_above;
    }
    const float height = corner.*axis - plane;
    s = height / (corner.*axis - b.*axis);
    t = height / (corner.*axis - c.*axis);
  }
};

/** \brief Hands the area of a triangle to its voxels, if at most one plane cuts it.
 * \return whether that was so, or the triangle is outside of the range
 */
template <typename Add>
PCL_GPU_HOST_DEVICE bool
addUncut(const GridTriangle& triangle,
         const GridSpan& span,
         const GridRange& range,
         const Add& add)
{
  if (!span.reaches(range) || !(triangle.area > 0.0f))
    return true;
  const float cuts = span.x.cuts() + span.y.cuts() + span.z.cuts();
  if (cuts > 1.0f)
    return false;
  // What reaches the range and is not cut at its ends lies between them.
  const auto number = [&range](float x, float y, float z) {
    return (static_cast<int>(z) * range.size + static_cast<int>(y)) * range.size +
           static_cast<int>(x);
  };
  if (cuts == 0.0f) {
    add(number(span.x.low, span.y.low, span.z.low), triangle.area);
    return true;
  }
  const int axis = span.x.isCut() ? 0 : span.y.isCut() ? 1 : 2;
  const AxisSpan& cut = axis == 0 ? span.x : axis == 1 ? span.y : span.z;
  const AxisRange& limits = axis == 0 ? range.x : axis == 1 ? range.y : range.z;
  const int stride = axis == 0 ? 1 : axis == 1 ? range.size : range.size * range.size;
  const CornerCut corner(triangle,
                         axis == 0   ? &Vector3::x
                         : axis == 1 ? &Vector3::y
                                     : &Vector3::z,
                         cut.first);
  const float corner_area = triangle.area * (corner.s * corner.t);
  const float rest = triangle.area - corner_area;
  const int upper = number(axis == 0 ? cut.first : span.x.low,
                           axis == 1 ? cut.first : span.y.low,
                           axis == 2 ? cut.first : span.z.low);
  if (cut.first < limits.last)
    add(upper, corner.above ? corner_area : rest);
  if (cut.first > limits.first)
    add(upper - stride, corner.above ? rest : corner_area);
  return true;
}

/** \brief Cuts a triangle by a plane across one axis.
 *
 * A step of Sutherland and Hodgman's clipping that keeps both sides: the corner that is
 * alone on its side, and the rest as two triangles.
 * \param[in,out] triangle becomes one of the parts
 * \param[out] parts the two others
 */
PCL_GPU_HOST_DEVICE void
cutTriangle(float Vector3::*axis,
            float plane,
            GridTriangle& triangle,
            GridTriangle* parts)
{
  const CornerCut cut(triangle, axis, plane);
  Vector3 u = cut.corner + cut.s * (cut.b - cut.corner);
  Vector3 v = cut.corner + cut.t * (cut.c - cut.corner);
  u.*axis = plane;
  v.*axis = plane;
  const float area = triangle.area;
  triangle = {cut.corner, u, v, area * (cut.s * cut.t)};
  parts[0] = {u, cut.b, cut.c, area * (1.0f - cut.s)};
  parts[1] = {u, cut.c, v, area * (cut.s * (1.0f - cut.t))};
}

/** \brief How many parts of a triangle can wait: two for each halving of the planes that
 * cut it, along three axes. */
constexpr int max_waiting_triangles = 2 * 3 * 6;

/** \brief Hands the area of a triangle to the voxels that it lies in.
 * \param[in] add called with number and area of a voxel, any number of times for each
 */
template <typename Add>
PCL_GPU_HOST_DEVICE void
addToGrid(const GridTriangle& whole, const GridRange& range, const Add& add)
{
  GridTriangle waiting[max_waiting_triangles];
  int count = 0;
  GridTriangle triangle = whole;
  for (;;) {
    const GridSpan span(triangle, range);
    if (!addUncut(triangle, span, range, add)) {
      if (span.x.isCut())
        cutTriangle(&Vector3::x, span.x.plane(), triangle, waiting + count);
      else if (span.y.isCut())
        cutTriangle(&Vector3::y, span.y.plane(), triangle, waiting + count);
      else
        cutTriangle(&Vector3::z, span.z.plane(), triangle, waiting + count);
      count += 2;
    }
    else if (count == 0)
      return;
    else
      triangle = waiting[--count];
  }
}

} // namespace device
} // namespace pcl

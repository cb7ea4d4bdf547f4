// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

#include <pcl/gpu/utils/device/vector3.hpp>

#include <cmath>

// Areas of a triangle in the voxels of a grid. Coordinates are in voxels, from the grid's
// corner: voxel (i, j, k) reaches from these numbers to the next ones. What lies within one
// voxel, and not close to a plane, is found in single precision; all else is cut in double
// precision, as areas on both sides of a plane that lies nearly along the surface depend on
// the last digits.

namespace pcl {
namespace device {

/** \brief A point or vector in double precision. */
struct GridPoint {
  double x, y, z;
};

PCL_GPU_HOST_DEVICE double
dot(const GridPoint& a, const GridPoint& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** \brief From the points' frame into that of a tensor's grid. */
struct GridTransform {
  Vector3 x, y, z;         ///< the frame's axes over the voxel size
  Vector3 origin;          ///< the grid's middle
  float middle;            ///< its coordinates, all three
  GridPoint exact_axes[3]; ///< x, y, z in double precision

  /** \brief The coordinates of a point in single precision. */
  PCL_GPU_HOST_DEVICE Vector3
  operator()(const Vector3& p) const
  {
    // The difference comes first: it loses hardly anything, however far the points are.
    const Vector3 d = p - origin;
    return {dot(x, d) + middle, dot(y, d) + middle, dot(z, d) + middle};
  }

  /** \brief The coordinates of a point in double precision. */
  PCL_GPU_HOST_DEVICE GridPoint
  exact(const Vector3& p) const
  {
    const GridPoint d = {static_cast<double>(p.x) - origin.x,
                         static_cast<double>(p.y) - origin.y,
                         static_cast<double>(p.z) - origin.z};
    return {dot(exact_axes[0], d) + middle,
            dot(exact_axes[1], d) + middle,
            dot(exact_axes[2], d) + middle};
  }
};

PCL_GPU_HOST_DEVICE GridTransform
gridTransform(const TensorFrame& frame, int grid_size)
{
  const double scale = 1.0 / frame.voxel_size;
  const auto exact = [scale](const float* a) {
    return GridPoint{scale * a[0], scale * a[1], scale * a[2]};
  };
  const auto rounded = [](const GridPoint& a) {
    return Vector3{
        static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
  };
  const GridPoint axes[3] = {
      exact(frame.x_axis), exact(frame.y_axis), exact(frame.z_axis)};
  return {rounded(axes[0]),
          rounded(axes[1]),
          rounded(axes[2]),
          {frame.origin[0], frame.origin[1], frame.origin[2]},
          0.5f * grid_size,
          {axes[0], axes[1], axes[2]}};
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

PCL_GPU_HOST_DEVICE int
voxelNumber(const GridRange& range, int x, int y, int z)
{
  return (z * range.size + y) * range.size + x;
}

/** \brief What single precision can tell of a triangle. */
constexpr int outside_of_grid = -1;
constexpr int has_to_be_cut = -2;

/** \brief The voxel that a triangle lies in; outside_of_grid; or has_to_be_cut, also where
 * rounding leaves it open. */
PCL_GPU_HOST_DEVICE int
voxelOf(const Vector3& a,
        const Vector3& b,
        const Vector3& c,
        const GridRange& range,
        float middle)
{
  const auto lowest = [](float u, float v, float w) { return fminf(u, fminf(v, w)); };
  const auto highest = [](float u, float v, float w) { return fmaxf(u, fmaxf(v, w)); };
  const Vector3 low = {
      lowest(a.x, b.x, c.x), lowest(a.y, b.y, c.y), lowest(a.z, b.z, c.z)};
  const Vector3 high = {
      highest(a.x, b.x, c.x), highest(a.y, b.y, c.y), highest(a.z, b.z, c.z)};
  // Five roundings of numbers no larger than a corner's distance from the middle.
  const float reach = fmaxf(highest(high.x, high.y, high.z) - middle,
                            middle - lowest(low.x, low.y, low.z));
  const float rounding = 6e-7f * reach + 1e-6f;
  bool reaches = true, within = true;
  const auto cellAlong = [&](float from, float to, const AxisRange& ends) {
    const float cell = floorf(from - rounding);
    reaches = reaches && to > ends.first - rounding && from < ends.last + rounding;
    within =
        within && to + rounding < cell + 1.0f && cell >= ends.first && cell < ends.last;
    return static_cast<int>(cell);
  };
  const int i = cellAlong(low.x, high.x, range.x);
  const int j = cellAlong(low.y, high.y, range.y);
  const int k = cellAlong(low.z, high.z, range.z);
  return within ? voxelNumber(range, i, j, k)
                : (reaches ? has_to_be_cut : outside_of_grid);
}

/** \brief The area of a triangle within one voxel, in faces of a voxel; NaN if a corner is
 * missing. */
PCL_GPU_HOST_DEVICE float
roundedArea(const Vector3& a, const Vector3& b, const Vector3& c)
{
  const Vector3 normal = cross(b - a, c - a);
  return 0.5f * sqrtf(dot(normal, normal));
}

/** \brief A triangle, and its area in faces of a voxel. */
struct GridTriangle {
  GridPoint a, b, c;
  double area;
};

PCL_GPU_HOST_DEVICE GridTriangle
makeGridTriangle(const GridPoint& a, const GridPoint& b, const GridPoint& c)
{
  const GridPoint u = {b.x - a.x, b.y - a.y, b.z - a.z};
  const GridPoint v = {c.x - a.x, c.y - a.y, c.z - a.z};
  const GridPoint normal = {
      u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return {a, b, c, 0.5 * sqrt(dot(normal, normal))};
}

/** \brief A coordinate of a point; without memory that is addressed by number. */
PCL_GPU_HOST_DEVICE double
coordinate(const GridPoint& p, int axis)
{
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/** \brief Where a triangle lies along one axis. */
struct AxisSpan {
  double low, high;
  double first, last; ///< the planes that cut it; first > last if none does

  PCL_GPU_HOST_DEVICE
  AxisSpan(double a, double b, double c, const AxisRange& range)
  : low(fmin(a, fmin(b, c)))
  , high(fmax(a, fmax(b, c)))
  , first(fmax(static_cast<double>(range.first), floor(low) + 1.0))
  , last(fmin(static_cast<double>(range.last), ceil(high) - 1.0))
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
  PCL_GPU_HOST_DEVICE double
  cuts() const
  {
    return fmax(0.0, last - first + 1.0);
  }
};

/** \brief The planes that cut a triangle, if any do. */
struct GridCuts {
  bool reaches; ///< whether the triangle lies in the range, at least in part
  int x, y, z;  ///< the voxel of its lowest coordinates
  int count;    ///< planes, or 3 for more
  int axis;     ///< that one of them lies across
  double plane; ///< the middle one of those
  bool
      hardly; ///< whether some plane that cuts it, or nearly does, lies nearly along it

  PCL_GPU_HOST_DEVICE
  GridCuts(const GridTriangle& t, const GridRange& range)
  {
    const AxisSpan along_x(t.a.x, t.b.x, t.c.x, range.x);
    const AxisSpan along_y(t.a.y, t.b.y, t.c.y, range.y);
    const AxisSpan along_z(t.a.z, t.b.z, t.c.z, range.z);
    // Also false for corners that are missing.
    reaches = along_x.reaches(range.x) && along_y.reaches(range.y) &&
              along_z.reaches(range.z) && t.area > 0;
    x = static_cast<int>(floor(along_x.low));
    y = static_cast<int>(floor(along_y.low));
    z = static_cast<int>(floor(along_z.low));
    axis = along_x.isCut() ? 0 : along_y.isCut() ? 1 : 2;
    const double first = axis == 0   ? along_x.first
                         : axis == 1 ? along_y.first
                                     : along_z.first;
    const double last = axis == 0   ? along_x.last
                        : axis == 1 ? along_y.last
                                    : along_z.last;
    plane = floor(0.5 * (first + last));
    count =
        static_cast<int>(fmin(3.0, along_x.cuts() + along_y.cuts() + along_z.cuts()));
  }
};

/** \brief A plane across one axis cuts off a corner of a triangle. */
struct CornerCut {
  GridPoint corner; ///< the one that is alone on its side
  GridPoint b, c;   ///< the others, in their order
  bool above;       ///< whether the corner is
  double s, t;      ///< how far along the edges to b and c the plane lies

  PCL_GPU_HOST_DEVICE
  CornerCut(const GridTriangle& triangle, int axis, double plane)
  {
    const double height_a = coordinate(triangle.a, axis) - plane;
    const double height_b = coordinate(triangle.b, axis) - plane;
    const double height_c = coordinate(triangle.c, axis) - plane;
    const bool a_above = height_a > 0;
    const bool b_above = height_b > 0;
    const bool c_above = height_c > 0;
    const bool b_is_alone = a_above == c_above;
    const bool c_is_alone = !b_is_alone && a_above == b_above;
    corner = b_is_alone ? triangle.b : c_is_alone ? triangle.c : triangle.a;
    b = b_is_alone ? triangle.c : c_is_alone ? triangle.a : triangle.b;
    c = b_is_alone ? triangle.a : c_is_alone ? triangle.b : triangle.c;
    const double height = b_is_alone ? height_b : c_is_alone ? height_c : height_a;
    const double next = b_is_alone ? height_c : c_is_alone ? height_a : height_b;
    const double last = b_is_alone ? height_a : c_is_alone ? height_b : height_c;
    above = height > 0;
    s = height / (height - next);
    t = height / (height - last);
  }
};

/** \brief Hands the area of a triangle to its voxels, if at most one plane cuts it.
 * \return whether that was so, or the triangle is outside of the range
 */
template <typename Add>
PCL_GPU_HOST_DEVICE bool
addUncut(const GridTriangle& triangle,
         const GridCuts& cuts,
         const GridRange& range,
         const Add& add)
{
  if (!cuts.reaches)
    return true;
  if (cuts.count > 1)
    return false;
  // What reaches the range and is not cut at its ends lies between them.
  if (cuts.count == 0) {
    add(voxelNumber(range, cuts.x, cuts.y, cuts.z), triangle.area);
    return true;
  }
  const AxisRange& limits = cuts.axis == 0   ? range.x
                            : cuts.axis == 1 ? range.y
                                             : range.z;
  const CornerCut corner(triangle, cuts.axis, cuts.plane);
  const double corner_area = triangle.area * (corner.s * corner.t);
  const double rest = triangle.area - corner_area;
  const int plane = static_cast<int>(cuts.plane);
  const int below = plane - 1;
  if (plane < limits.last)
    add(voxelNumber(range,
                    cuts.axis == 0 ? plane : cuts.x,
                    cuts.axis == 1 ? plane : cuts.y,
                    cuts.axis == 2 ? plane : cuts.z),
        corner.above ? corner_area : rest);
  if (plane > limits.first)
    add(voxelNumber(range,
                    cuts.axis == 0 ? below : cuts.x,
                    cuts.axis == 1 ? below : cuts.y,
                    cuts.axis == 2 ? below : cuts.z),
        corner.above ? rest : corner_area);
  return true;
}

/** \brief Cuts a triangle by the plane that was found.
 *
 * A step of Sutherland and Hodgman's clipping that keeps both sides: the corner that is
 * alone on its side, and the rest as two triangles.
 * \param[in,out] triangle becomes one of the parts
 * \param[out] parts the two others
 */
PCL_GPU_HOST_DEVICE void
cutTriangle(const GridCuts& cuts, GridTriangle& triangle, GridTriangle* parts)
{
  using Point = GridPoint;
  const CornerCut cut(triangle, cuts.axis, cuts.plane);
  const auto between = [&cuts](const Point& from, const Point& to, double s) {
    return Point{cuts.axis == 0 ? cuts.plane : from.x + s * (to.x - from.x),
                 cuts.axis == 1 ? cuts.plane : from.y + s * (to.y - from.y),
                 cuts.axis == 2 ? cuts.plane : from.z + s * (to.z - from.z)};
  };
  const Point u = between(cut.corner, cut.b, cut.s);
  const Point v = between(cut.corner, cut.c, cut.t);
  const double area = triangle.area;
  triangle = {cut.corner, u, v, area * (cut.s * cut.t)};
  parts[0] = {u, cut.b, cut.c, area * (1 - cut.s)};
  parts[1] = {u, cut.c, v, area * (cut.s * (1 - cut.t))};
}

/** \brief Hands the area of a triangle that two planes cut to its voxels. */
template <typename Add>
PCL_GPU_HOST_DEVICE void
addCutTwice(GridTriangle triangle,
            const GridCuts& cuts,
            const GridRange& range,
            const Add& add)
{
  GridTriangle parts[2];
  cutTriangle(cuts, triangle, parts);
  // One plane at most cuts each of the parts.
  addUncut(triangle, GridCuts(triangle, range), range, add);
  addUncut(parts[0], GridCuts(parts[0], range), range, add);
  addUncut(parts[1], GridCuts(parts[1], range), range, add);
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
    const GridCuts cuts(triangle, range);
    if (!addUncut(triangle, cuts, range, add)) {
      cutTriangle(cuts, triangle, waiting + count);
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

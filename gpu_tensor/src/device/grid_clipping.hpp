// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>

// Areas of a triangle in the voxels of a grid. Coordinates are in voxels, from the grid's
// corner: voxel (i, j, k) reaches from these numbers to the next ones. What lies within one
// voxel, and not close to a plane, is found in single precision. For all else coordinates
// are taken in double precision. Counted from a corner nearby their single precision will
// do to cut by, but not for a triangle that lies nearly along a plane, whose areas on both
// sides depend on the last digits.

namespace pcl::device {

/** \brief A point or vector in either precision. */
template <typename Real>
struct GridPoint {
  Real x, y, z;
};

template <typename Real>
PCL_GPU_HOST_DEVICE Real
dot(const GridPoint<Real>& a, const GridPoint<Real>& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** \brief From the points' frame into that of a tensor's grid. */
struct GridTransform {
  Vector3 x, y, z;                 ///< the frame's axes over the voxel size
  Vector3 origin;                  ///< the grid's middle
  float middle;                    ///< its coordinates, all three
  GridPoint<double> exact_axes[3]; ///< x, y, z in double precision

  /** \brief The coordinates of a point in single precision. */
  PCL_GPU_HOST_DEVICE Vector3
  operator()(const Vector3& p) const
  {
    // The difference comes first: it loses hardly anything, however far the points are.
    const Vector3 d = p - origin;
    return {dot(x, d) + middle, dot(y, d) + middle, dot(z, d) + middle};
  }

  /** \brief The coordinates of a point in double precision. */
  PCL_GPU_HOST_DEVICE GridPoint<double>
  exact(const Vector3& p) const
  {
    const GridPoint<double> d = {static_cast<double>(p.x) - origin.x,
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
    return GridPoint<double>{scale * a[0], scale * a[1], scale * a[2]};
  };
  const auto rounded = [](const GridPoint<double>& a) {
    return Vector3{
        static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
  };
  const GridPoint<double> axes[3] = {
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
  int base;          ///< number of the voxel that coordinates are counted from
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
  const AxisRange all = {0.0f, static_cast<float>(size), 0};
  return {size,
          all,
          all,
          {static_cast<float>(first), static_cast<float>(first + layers), 0}};
}

/** \brief The range with coordinates that are counted from other voxels. */
PCL_GPU_HOST_DEVICE GridRange
countedFrom(const GridRange& range, const Vector3& base)
{
  const auto moved = [](const AxisRange& axis, float number) {
    return AxisRange{
        axis.first - number, axis.last - number, axis.base + static_cast<int>(number)};
  };
  return {range.size,
          moved(range.x, base.x),
          moved(range.y, base.y),
          moved(range.z, base.z)};
}

PCL_GPU_HOST_DEVICE int
voxelNumber(const GridRange& range, int x, int y, int z)
{
  return ((range.z.base + z) * range.size + range.y.base + y) * range.size +
         range.x.base + x;
}

/** \brief What single precision can tell of a triangle. */
constexpr int outside_of_grid = -1;
constexpr int has_to_be_cut = -2;

/** \brief The space that points take in a grid, in single precision. */
struct GridBox {
  Vector3 low, high;

  PCL_GPU_HOST_DEVICE
  GridBox(const Vector3& a, const Vector3& b, const Vector3& c)
  : low{lowest(a.x, b.x, c.x), lowest(a.y, b.y, c.y), lowest(a.z, b.z, c.z)}
  , high{highest(a.x, b.x, c.x), highest(a.y, b.y, c.y), highest(a.z, b.z, c.z)}
  {}

  PCL_GPU_HOST_DEVICE void
  add(const Vector3& p)
  {
    low = {fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
    high = {fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
  }

  PCL_GPU_HOST_DEVICE static float
  lowest(float u, float v, float w)
  {
    return fminf(u, fminf(v, w));
  }

  PCL_GPU_HOST_DEVICE static float
  highest(float u, float v, float w)
  {
    return fmaxf(u, fmaxf(v, w));
  }
};

/** \brief The voxel that a box lies in; outside_of_grid; or has_to_be_cut, also where
 * rounding leaves it open. */
PCL_GPU_HOST_DEVICE int
voxelOf(const GridBox& box, const GridRange& range, float middle)
{
  const Vector3 &low = box.low, &high = box.high;
  // Five roundings of numbers no larger than a corner's distance from the middle.
  const float reach = fmaxf(GridBox::highest(high.x, high.y, high.z) - middle,
                            middle - GridBox::lowest(low.x, low.y, low.z));
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
template <typename Real>
struct GridTriangle {
  GridPoint<Real> a, b, c;
  Real area;
};

template <typename Real>
PCL_GPU_HOST_DEVICE GridTriangle<Real>
makeGridTriangle(const GridPoint<Real>& a,
                 const GridPoint<Real>& b,
                 const GridPoint<Real>& c)
{
  const GridPoint<Real> u = {b.x - a.x, b.y - a.y, b.z - a.z};
  const GridPoint<Real> v = {c.x - a.x, c.y - a.y, c.z - a.z};
  const GridPoint<Real> normal = {
      u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  using std::sqrt;
  return {a, b, c, Real(0.5) * sqrt(dot(normal, normal))};
}

/** \brief A coordinate of a point; without memory that is addressed by number. */
template <typename Real>
PCL_GPU_HOST_DEVICE Real
coordinate(const GridPoint<Real>& p, int axis)
{
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

PCL_GPU_HOST_DEVICE float
roundedDown(float x)
{
  return floorf(x);
}

PCL_GPU_HOST_DEVICE double
roundedDown(double x)
{
  return floor(x);
}

template <typename Real>
PCL_GPU_HOST_DEVICE Real
lesser(Real a, Real b)
{
  return b < a ? b : a;
}

template <typename Real>
PCL_GPU_HOST_DEVICE Real
greater(Real a, Real b)
{
  return b > a ? b : a;
}

/** \brief Where a triangle lies along one axis. */
template <typename Real>
struct AxisSpan {
  Real low, high;
  Real first, last; ///< the planes that cut it; first > last if none does

  PCL_GPU_HOST_DEVICE
  AxisSpan(Real a, Real b, Real c, const AxisRange& range)
  : low(lesser(a, lesser(b, c)))
  , high(greater(a, greater(b, c)))
  , first(greater(Real(range.first), roundedDown(low) + 1))
  , last(lesser(Real(range.last), -roundedDown(-high) - 1))
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

  /** \brief How many planes cut it. */
  PCL_GPU_HOST_DEVICE Real
  cuts() const
  {
    return greater(Real(0), last - first + 1);
  }

  /** \brief Whether it lies nearly along a plane that it touches, or nearly does. */
  PCL_GPU_HOST_DEVICE bool
  isFlat() const
  {
    constexpr Real flat = Real(0.02), rounding = Real(1e-5);
    return high - low < flat &&
           roundedDown(low - rounding) != roundedDown(high + rounding);
  }
};

/** \brief The planes that cut a triangle, if any do. */
template <typename Real>
struct GridCuts {
  bool reaches; ///< whether the triangle lies in the range, at least in part
  int x, y, z;  ///< the voxel of its lowest coordinates
  int count;    ///< planes, or 3 for more
  int axis;     ///< that one of them lies across
  Real plane;   ///< the middle one of those
  bool is_flat; ///< whether the triangle lies nearly along a plane that it touches

  PCL_GPU_HOST_DEVICE
  GridCuts(const GridTriangle<Real>& t, const GridRange& range)
  {
    const AxisSpan<Real> along_x(t.a.x, t.b.x, t.c.x, range.x);
    const AxisSpan<Real> along_y(t.a.y, t.b.y, t.c.y, range.y);
    const AxisSpan<Real> along_z(t.a.z, t.b.z, t.c.z, range.z);
    // Also false for corners that are missing.
    reaches = along_x.reaches(range.x) && along_y.reaches(range.y) &&
              along_z.reaches(range.z) && t.area > 0;
    is_flat = along_x.isFlat() || along_y.isFlat() || along_z.isFlat();
    x = static_cast<int>(roundedDown(along_x.low));
    y = static_cast<int>(roundedDown(along_y.low));
    z = static_cast<int>(roundedDown(along_z.low));
    axis = along_x.isCut() ? 0 : along_y.isCut() ? 1 : 2;
    const Real first = axis == 0   ? along_x.first
                       : axis == 1 ? along_y.first
                                   : along_z.first;
    const Real last = axis == 0   ? along_x.last
                      : axis == 1 ? along_y.last
                                  : along_z.last;
    plane = roundedDown(Real(0.5) * (first + last));
    count = static_cast<int>(
        lesser(Real(3), along_x.cuts() + along_y.cuts() + along_z.cuts()));
  }
};

/** \brief A plane across one axis cuts off a corner of a triangle. */
template <typename Real>
struct CornerCut {
  GridPoint<Real> corner; ///< the one that is alone on its side
  GridPoint<Real> b, c;   ///< the others, in their order
  bool above;             ///< whether the corner is
  Real s, t;              ///< how far along the edges to b and c the plane lies

  PCL_GPU_HOST_DEVICE
  CornerCut(const GridTriangle<Real>& triangle, int axis, Real plane)
  {
    const Real height_a = coordinate(triangle.a, axis) - plane;
    const Real height_b = coordinate(triangle.b, axis) - plane;
    const Real height_c = coordinate(triangle.c, axis) - plane;
    const bool a_above = height_a > 0;
    const bool b_above = height_b > 0;
    const bool c_above = height_c > 0;
    const bool b_is_alone = a_above == c_above;
    const bool c_is_alone = !b_is_alone && a_above == b_above;
    corner = b_is_alone ? triangle.b : c_is_alone ? triangle.c : triangle.a;
    b = b_is_alone ? triangle.c : c_is_alone ? triangle.a : triangle.b;
    c = b_is_alone ? triangle.a : c_is_alone ? triangle.b : triangle.c;
    const Real height = b_is_alone ? height_b : c_is_alone ? height_c : height_a;
    const Real next = b_is_alone ? height_c : c_is_alone ? height_a : height_b;
    const Real last = b_is_alone ? height_a : c_is_alone ? height_b : height_c;
    above = height > 0;
    s = height / (height - next);
    t = height / (height - last);
  }
};

/** \brief Hands the area of a triangle to its voxels, if at most one plane cuts it.
 * \return whether that was so, or the triangle is outside of the range
 */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE bool
addUncut(const GridTriangle<Real>& triangle,
         const GridCuts<Real>& cuts,
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
  const CornerCut<Real> corner(triangle, cuts.axis, cuts.plane);
  const Real corner_area = triangle.area * (corner.s * corner.t);
  const Real rest = triangle.area - corner_area;
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
template <typename Real>
PCL_GPU_HOST_DEVICE void
cutTriangle(const GridCuts<Real>& cuts,
            GridTriangle<Real>& triangle,
            GridTriangle<Real>* parts)
{
  using Point = GridPoint<Real>;
  const CornerCut<Real> cut(triangle, cuts.axis, cuts.plane);
  const auto between = [&cuts](const Point& from, const Point& to, Real s) {
    return Point{cuts.axis == 0 ? cuts.plane : from.x + s * (to.x - from.x),
                 cuts.axis == 1 ? cuts.plane : from.y + s * (to.y - from.y),
                 cuts.axis == 2 ? cuts.plane : from.z + s * (to.z - from.z)};
  };
  const Point u = between(cut.corner, cut.b, cut.s);
  const Point v = between(cut.corner, cut.c, cut.t);
  const Real area = triangle.area;
  triangle = {cut.corner, u, v, area * (cut.s * cut.t)};
  parts[0] = {u, cut.b, cut.c, area * (1 - cut.s)};
  parts[1] = {u, cut.c, v, area * (cut.s * (1 - cut.t))};
}

/** \brief Hands the area of a triangle that two planes cut to its voxels. */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE void
addCutTwice(GridTriangle<Real> triangle,
            const GridCuts<Real>& cuts,
            const GridRange& range,
            const Add& add)
{
  GridTriangle<Real> parts[2];
  cutTriangle(cuts, triangle, parts);
  // One plane at most cuts each of the parts.
  addUncut(triangle, GridCuts<Real>(triangle, range), range, add);
  addUncut(parts[0], GridCuts<Real>(parts[0], range), range, add);
  addUncut(parts[1], GridCuts<Real>(parts[1], range), range, add);
}

/** \brief How many parts of a triangle can wait: two for each halving of the planes that
 * cut it, along three axes. */
constexpr int max_waiting_triangles = 2 * 3 * 6;

/** \brief Hands the area of a triangle to the voxels that it lies in.
 * \param[in] add called with number and area of a voxel, any number of times for each
 */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE void
addToGrid(const GridTriangle<Real>& whole, const GridRange& range, const Add& add)
{
  GridTriangle<Real> waiting[max_waiting_triangles];
  int count = 0;
  GridTriangle<Real> triangle = whole;
  for (;;) {
    const GridCuts<Real> cuts(triangle, range);
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

} // namespace pcl::device

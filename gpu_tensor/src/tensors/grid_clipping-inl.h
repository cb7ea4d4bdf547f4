// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TENSOR_GRID_CLIPPING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TENSOR_GRID_CLIPPING_INL_H
#undef PCL_GPU_TENSOR_GRID_CLIPPING_INL_H
#else
#define PCL_GPU_TENSOR_GRID_CLIPPING_INL_H
#endif

#include "tensors/tensor_task.h"

#include <pcl/gpu/utils/internal/device/scalar_math.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <type_traits>
#include <utility>

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

// Areas of triangles in the voxels of a grid: of one triangle in either precision, or
// on the host of as many as a register has lanes. Coordinates are in voxels, from the
// grid's corner: voxel (i, j, k) reaches from these numbers to the next ones. Triangles
// within one voxel, and not close to a plane, are found in single precision. For all
// others coordinates are computed in double precision. Counted from a corner nearby,
// single precision is enough for cutting, except for a triangle that lies nearly along
// a plane: its areas on both sides depend on the last digits.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

#ifndef __CUDACC__
// Functions of single numbers, as well as those of registers.
using device::maximum;
using device::minimum;
using device::roundDown;
using device::select;
using device::squareRoot;
#endif

/** \brief A whole number: single precision holds those of planes and voxels. */
template <typename Number>
using WholeOf = std::conditional_t<std::is_same<Number, double>::value, float, Number>;

/** \brief The answer of a comparison of numbers. */
template <typename Number>
using MaskOf = decltype(std::declval<Number>() < std::declval<Number>());

PCL_GPU_HOST_DEVICE bool
areAlike(bool a, bool b)
{
  return a == b;
}

/** \brief A point or vector. */
template <typename Number>
struct GridPoint {
  Number x, y, z;
};

template <typename Number>
PCL_GPU_ELEMENT GridPoint<Number>
operator-(const GridPoint<Number>& a, const GridPoint<Number>& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <typename Number>
PCL_GPU_ELEMENT Number
dot(const GridPoint<Number>& a, const GridPoint<Number>& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename Number>
PCL_GPU_ELEMENT GridPoint<Number>
lowest(const GridPoint<Number>& a, const GridPoint<Number>& b)
{
  return {minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z)};
}

template <typename Number>
PCL_GPU_ELEMENT GridPoint<Number>
highest(const GridPoint<Number>& a, const GridPoint<Number>& b)
{
  return {maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z)};
}

#ifndef __CUDACC__
template <typename Tag>
HWY_INLINE LaneMask<Tag>
areAlike(LaneMask<Tag> a, LaneMask<Tag> b)
{
  return {hn::Not(hn::Xor(a.value, b.value))};
}

template <typename Tag>
HWY_INLINE GridPoint<Lanes<Tag>>
select(LaneMask<Tag> condition,
       const GridPoint<Lanes<Tag>>& yes,
       const GridPoint<Lanes<Tag>>& no)
{
  return {select(condition, yes.x, no.x),
          select(condition, yes.y, no.y),
          select(condition, yes.z, no.z)};
}

template <typename Tag>
HWY_INLINE GridPoint<Lanes<Tag>>
loadPoints(Tag tag, const float* x, const float* y, const float* z)
{
  return {load(tag, x), load(tag, y), load(tag, z)};
}

/** \brief Stores whole numbers that single precision holds. */
template <typename Tag>
HWY_INLINE void
storeWhole(Lanes<Tag> numbers, std::int32_t* to)
{
  const hn::RebindToSigned<Tag> int_tag;
  hn::StoreU(hn::ConvertTo(int_tag, numbers.value), int_tag, to);
}
#endif

/** \brief Area of a triangle in faces of a voxel; NaN if a corner is missing. */
template <typename Number>
PCL_GPU_ELEMENT Number
areaOf(const GridPoint<Number>& a,
       const GridPoint<Number>& b,
       const GridPoint<Number>& c)
{
  const GridPoint<Number> u = b - a, v = c - a;
  const GridPoint<Number> normal = {
      u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return Number(0.5f) * squareRoot(dot(normal, normal));
}

/** \brief From the points' frame into that of a tensor's grid. */
struct GridTransform {
  Vector3 x, y, z;                 ///< the frame's axes over the voxel size
  Vector3 origin;                  ///< the grid's middle
  float middle;                    ///< its coordinates, all three
  GridPoint<double> exact_axes[3]; ///< x, y, z in double precision

  /** \brief Returns the coordinates of a point in single precision. */
  template <typename Point>
  PCL_GPU_ELEMENT auto
  operator()(const Point& p) const
  {
    return along(x, y, z, GridPoint<decltype(p.x)>{p.x, p.y, p.z});
  }

  /** \brief Returns the coordinates of a point in double precision. */
  template <typename Double, typename Point>
  PCL_GPU_ELEMENT GridPoint<Double>
  exact(const Point& p) const
  {
    const GridPoint<Double> wide = {Double(p.x), Double(p.y), Double(p.z)};
    return along(exact_axes[0], exact_axes[1], exact_axes[2], wide);
  }

private:
  template <typename Axis, typename Number>
  PCL_GPU_ELEMENT GridPoint<Number>
  along(const Axis& a, const Axis& b, const Axis& c, const GridPoint<Number>& p) const
  {
    // The difference comes first: it loses very little, even for distant points.
    const GridPoint<Number> d =
        p - GridPoint<Number>{Number(origin.x), Number(origin.y), Number(origin.z)};
    const Number m(middle);
    return {d.x * Number(a.x) + d.y * Number(a.y) + d.z * Number(a.z) + m,
            d.x * Number(b.x) + d.y * Number(b.y) + d.z * Number(b.z) + m,
            d.x * Number(c.x) + d.y * Number(c.y) + d.z * Number(c.z) + m};
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
template <typename Number>
struct AxisRange {
  Number first, last; ///< numbers of the planes; whole numbers
  Number base;        ///< number of the voxel that coordinates are counted from
};

/** \brief The voxels that areas are wanted of: all along x and y, some layers along
 * z. */
template <typename Number>
struct GridRange {
  float size; ///< voxels along x and y
  AxisRange<Number> x, y, z;
};

/** \brief Returns the range of \a layers layers of voxels from number \a first on. */
PCL_GPU_HOST_DEVICE GridRange<float>
gridRange(int size, int first, int layers)
{
  const float whole = static_cast<float>(size);
  const AxisRange<float> all = {0.0f, whole, 0.0f};
  return {whole,
          all,
          all,
          {static_cast<float>(first), static_cast<float>(first + layers), 0.0f}};
}

/** \brief Returns the range along an axis as counted from another voxel. */
template <typename Number>
PCL_GPU_ELEMENT AxisRange<Number>
countedFrom(const AxisRange<float>& axis, const Number& base)
{
  return {
      Number(axis.first) - base, Number(axis.last) - base, Number(axis.base) + base};
}

/** \brief Returns the range with coordinates that are counted from other voxels. */
template <typename Number>
PCL_GPU_ELEMENT GridRange<Number>
countedFrom(const GridRange<float>& range, const GridPoint<Number>& base)
{
  return {range.size,
          countedFrom(range.x, base.x),
          countedFrom(range.y, base.y),
          countedFrom(range.z, base.z)};
}

/** \brief Returns the number of a voxel: a whole number that single precision holds. */
template <typename Number, typename Ends>
PCL_GPU_ELEMENT Number
voxelNumber(const GridRange<Ends>& range,
            const Number& x,
            const Number& y,
            const Number& z)
{
  const Number size(range.size);
  return ((Number(range.z.base) + z) * size + (Number(range.y.base) + y)) * size +
         (Number(range.x.base) + x);
}

/** \brief Results of single precision other than the number of a voxel. */
constexpr int outside_of_grid = -1;
constexpr int several_voxels = -2;

/** \brief The space that points take in a grid, in single precision. */
template <typename Number>
struct GridBox {
  GridPoint<Number> low, high;

  /** \brief Returns the voxel that it lies in; outside_of_grid; or several_voxels, also
   * where rounding leaves it open. */
  PCL_GPU_ELEMENT Number
  voxel(const GridRange<float>& range, float middle) const
  {
    // Five roundings of numbers no larger than a corner's distance from the middle.
    const Number reach =
        maximum(maximum(high.x, maximum(high.y, high.z)) - Number(middle),
                Number(middle) - minimum(low.x, minimum(low.y, low.z)));
    const Number rounding = Number(6e-7f) * reach + Number(1e-6f);
    const GridPoint<Number> cell = {roundDown(low.x - rounding),
                                    roundDown(low.y - rounding),
                                    roundDown(low.z - rounding)};
    const auto reaches = reachesAlong(low.x, high.x, rounding, range.x) &
                         reachesAlong(low.y, high.y, rounding, range.y) &
                         reachesAlong(low.z, high.z, rounding, range.z);
    const auto within = reaches & isWithin(cell.x, high.x, rounding, range.x) &
                        isWithin(cell.y, high.y, rounding, range.y) &
                        isWithin(cell.z, high.z, rounding, range.z);
    return select(within,
                  voxelNumber(range, cell.x, cell.y, cell.z),
                  select(reaches,
                         Number(static_cast<float>(several_voxels)),
                         Number(static_cast<float>(outside_of_grid))));
  }

private:
  PCL_GPU_ELEMENT static MaskOf<Number>
  reachesAlong(const Number& from,
               const Number& to,
               const Number& rounding,
               const AxisRange<float>& ends)
  {
    return (to > Number(ends.first) - rounding) & (from < Number(ends.last) + rounding);
  }

  PCL_GPU_ELEMENT static MaskOf<Number>
  isWithin(const Number& cell,
           const Number& to,
           const Number& rounding,
           const AxisRange<float>& ends)
  {
    return (to + rounding < cell + Number(1.0f)) & (cell >= Number(ends.first)) &
           (cell < Number(ends.last));
  }
};

/** \brief A triangle, and its area in faces of a voxel. */
template <typename Number>
struct GridTriangle {
  GridPoint<Number> a, b, c;
  Number area;
};

template <typename Number>
PCL_GPU_ELEMENT GridTriangle<Number>
makeGridTriangle(const GridPoint<Number>& a,
                 const GridPoint<Number>& b,
                 const GridPoint<Number>& c)
{
  return {a, b, c, areaOf(a, b, c)};
}

/** \brief Extent of a triangle along one axis. */
template <typename Number>
struct AxisSpan {
  using Mask = MaskOf<Number>;

  Number low, high;
  Number range_first, range_last;
  Number cell;        ///< of the lowest corner
  Number first, last; ///< the planes that cut it; first > last if none does

  template <typename Ends>
  PCL_GPU_ELEMENT
  AxisSpan(const Number& a,
           const Number& b,
           const Number& c,
           const AxisRange<Ends>& range)
  : low(minimum(a, minimum(b, c)))
  , high(maximum(a, maximum(b, c)))
  , range_first(range.first)
  , range_last(range.last)
  , cell(roundDown(low))
  , first(maximum(range_first, cell + Number(1.0f)))
  , last(minimum(range_last, -roundDown(-high) - Number(1.0f)))
  {}

  /** \brief Returns whether it lies between the range's ends, at least in part. */
  PCL_GPU_ELEMENT Mask
  reaches() const
  {
    return (low < range_last) & ((low >= range_first) | (high > range_first));
  }

  PCL_GPU_ELEMENT Mask
  isCut() const
  {
    return first <= last;
  }

  /** \brief Returns the number of planes that cut it. */
  PCL_GPU_ELEMENT Number
  cuts() const
  {
    return maximum(Number(0.0f), last - first + Number(1.0f));
  }

  /** \brief Returns whether it lies nearly along a plane that it touches, or nearly
   * does. */
  PCL_GPU_ELEMENT Mask
  isFlat() const
  {
    const Number flat(0.02f), rounding(1e-5f);
    return (high - low < flat) &
           (roundDown(low - rounding) < roundDown(high + rounding));
  }
};

/** \brief The planes that cut a triangle, if any do. */
template <typename Number>
struct GridCuts {
  using Mask = MaskOf<Number>;

  Mask reaches; ///< whether the triangle lies in the range, at least in part
  Mask is_flat; ///< whether it lies nearly along a plane that it touches
  GridPoint<WholeOf<Number>> cell; ///< the voxel of its lowest coordinates
  Number planes;                   ///< their number
  Mask across_x, across_y; ///< the axis that some of them lie across; z if neither
  Number plane;            ///< the middle one of those

  template <typename Ends>
  PCL_GPU_ELEMENT
  GridCuts(const GridTriangle<Number>& t, const GridRange<Ends>& range)
  {
    const AxisSpan<Number> x(t.a.x, t.b.x, t.c.x, range.x);
    const AxisSpan<Number> y(t.a.y, t.b.y, t.c.y, range.y);
    const AxisSpan<Number> z(t.a.z, t.b.z, t.c.z, range.z);
    // Also false for corners that are missing.
    reaches = x.reaches() & y.reaches() & z.reaches() & (t.area > Number(0.0f));
    is_flat = x.isFlat() | y.isFlat() | z.isFlat();
    using Whole = WholeOf<Number>;
    cell = {static_cast<Whole>(x.cell),
            static_cast<Whole>(y.cell),
            static_cast<Whole>(z.cell)};
    planes = x.cuts() + y.cuts() + z.cuts();
    across_x = x.isCut();
    across_y = y.isCut() & !across_x;
    plane = roundDown(Number(0.5f) * (ofAxis(x.first, y.first, z.first) +
                                      ofAxis(x.last, y.last, z.last)));
  }

  /** \brief Returns the value of the axis that the plane lies across. */
  PCL_GPU_ELEMENT Number
  ofAxis(const Number& of_x, const Number& of_y, const Number& of_z) const
  {
    return select(across_x, of_x, select(across_y, of_y, of_z));
  }

  /** \brief Returns how far above the plane a point lies. */
  PCL_GPU_ELEMENT Number
  heightOf(const GridPoint<Number>& p) const
  {
    return ofAxis(p.x, p.y, p.z) - plane;
  }

  /** \brief Returns a point with another coordinate along that axis. */
  template <typename T>
  PCL_GPU_ELEMENT GridPoint<T>
  withCoordinate(const GridPoint<T>& p, const T& coordinate) const
  {
    return {select(across_x, coordinate, p.x),
            select(across_y, coordinate, p.y),
            select(across_x | across_y, p.z, coordinate)};
  }
};

/** \brief The corner of a triangle that is alone on its side of a plane: a if neither b
 * nor c is. */
template <typename Number>
struct AloneCorner {
  MaskOf<Number> is_b, is_c;

  template <typename T>
  PCL_GPU_ELEMENT T
  choose(const T& of_a, const T& of_b, const T& of_c) const
  {
    return select(is_b, of_b, select(is_c, of_c, of_a));
  }
};

/** \brief A plane cuts off a corner of a triangle. */
template <typename Number>
struct CornerCut {
  GridPoint<Number> corner; ///< the one that is alone on its side
  GridPoint<Number> b, c;   ///< the others, in their order
  MaskOf<Number> above;     ///< whether the corner is
  Number s, t;              ///< place of the plane along the edges to b and c
  Number area;              ///< of the whole triangle

  PCL_GPU_ELEMENT
  CornerCut(const GridTriangle<Number>& triangle, const GridCuts<Number>& cuts)
  : area(triangle.area)
  {
    const Number height_a = cuts.heightOf(triangle.a);
    const Number height_b = cuts.heightOf(triangle.b);
    const Number height_c = cuts.heightOf(triangle.c);
    const Number zero(0.0f);
    const MaskOf<Number> a_above = height_a > zero;
    const MaskOf<Number> b_above = height_b > zero;
    const MaskOf<Number> c_above = height_c > zero;
    const MaskOf<Number> b_is_alone = areAlike(a_above, c_above);
    const MaskOf<Number> c_is_alone = areAlike(a_above, b_above) & !b_is_alone;
    const AloneCorner<Number> alone = {b_is_alone, c_is_alone};
    corner = alone.choose(triangle.a, triangle.b, triangle.c);
    b = alone.choose(triangle.b, triangle.c, triangle.a);
    c = alone.choose(triangle.c, triangle.a, triangle.b);
    const Number height = alone.choose(height_a, height_b, height_c);
    above = height > zero;
    s = height / (height - alone.choose(height_b, height_c, height_a));
    t = height / (height - alone.choose(height_c, height_a, height_b));
  }

  PCL_GPU_ELEMENT Number
  cornerArea() const
  {
    return area * (s * t);
  }

  /** \brief Returns one of three parts: the corner, and the rest as two triangles.
   *
   * A step of Sutherland and Hodgman's clipping that keeps both sides.
   */
  PCL_GPU_ELEMENT GridTriangle<Number>
  part(int number, const GridCuts<Number>& cuts) const
  {
    const GridPoint<Number> u = between(b, s, cuts), v = between(c, t, cuts);
    const Number one(1.0f);
    if (number == 0)
      return {corner, u, v, cornerArea()};
    if (number == 1)
      return {u, b, c, area * (one - s)};
    return {u, c, v, area * (s * (one - t))};
  }

private:
  PCL_GPU_ELEMENT GridPoint<Number>
  between(const GridPoint<Number>& to,
          const Number& share,
          const GridCuts<Number>& cuts) const
  {
    return cuts.withCoordinate(GridPoint<Number>{corner.x + share * (to.x - corner.x),
                                                 corner.y + share * (to.y - corner.y),
                                                 corner.z + share * (to.z - corner.z)},
                               cuts.plane);
  }
};

/** \brief The areas of a triangle on both sides of a plane that cuts it. */
template <typename Number>
struct CutSides {
  MaskOf<Number> has_upper, has_lower; ///< whether a side is in the range
  WholeOf<Number> upper, lower;        ///< voxels
  Number upper_area, lower_area;

  template <typename Ends>
  PCL_GPU_ELEMENT
  CutSides(const GridTriangle<Number>& triangle,
           const GridCuts<Number>& cuts,
           const GridRange<Ends>& range)
  : has_upper(cuts.plane < cuts.ofAxis(Number(range.x.last),
                                       Number(range.y.last),
                                       Number(range.z.last)))
  , has_lower(cuts.plane > cuts.ofAxis(Number(range.x.first),
                                       Number(range.y.first),
                                       Number(range.z.first)))
  {
    using Whole = WholeOf<Number>;
    const Whole plane = static_cast<Whole>(cuts.plane);
    const GridPoint<Whole> above = cuts.withCoordinate(cuts.cell, plane);
    const GridPoint<Whole> below = cuts.withCoordinate(cuts.cell, plane - Whole(1.0f));
    upper = voxelNumber(range, above.x, above.y, above.z);
    lower = voxelNumber(range, below.x, below.y, below.z);
    const CornerCut<Number> cut(triangle, cuts);
    const Number corner_area = cut.cornerArea();
    const Number rest = triangle.area - corner_area;
    upper_area = select(cut.above, corner_area, rest);
    lower_area = select(cut.above, rest, corner_area);
  }
};

/** \brief Adds the area of a triangle to its voxels, if at most one plane cuts it.
 * \return whether that was so, or the triangle is outside of the range
 */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE bool
addUncut(const GridTriangle<Real>& triangle,
         const GridCuts<Real>& cuts,
         const GridRange<float>& range,
         const Add& add)
{
  if (!cuts.reaches)
    return true;
  if (cuts.planes > Real(1))
    return false;
  // A triangle that reaches the range and is not cut at its ends lies between them.
  if (cuts.planes < Real(1)) {
    add(static_cast<int>(voxelNumber(range, cuts.cell.x, cuts.cell.y, cuts.cell.z)),
        triangle.area);
    return true;
  }
  const CutSides<Real> sides(triangle, cuts, range);
  if (sides.has_upper)
    add(static_cast<int>(sides.upper), sides.upper_area);
  if (sides.has_lower)
    add(static_cast<int>(sides.lower), sides.lower_area);
  return true;
}

/** \brief Cuts a triangle by the plane that was found.
 * \param[in,out] triangle becomes one of the parts
 * \param[out] parts the two others
 */
template <typename Real>
PCL_GPU_HOST_DEVICE void
cutTriangle(const GridCuts<Real>& cuts,
            GridTriangle<Real>& triangle,
            GridTriangle<Real>* parts)
{
  const CornerCut<Real> cut(triangle, cuts);
  triangle = cut.part(0, cuts);
  parts[0] = cut.part(1, cuts);
  parts[1] = cut.part(2, cuts);
}

/** \brief Adds the area of a triangle that two planes cut to its voxels. */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE void
addCutTwice(GridTriangle<Real> triangle,
            const GridCuts<Real>& cuts,
            const GridRange<float>& range,
            const Add& add)
{
  GridTriangle<Real> parts[2];
  cutTriangle(cuts, triangle, parts);
  // One plane at most cuts each of the parts.
  addUncut(triangle, GridCuts<Real>(triangle, range), range, add);
  addUncut(parts[0], GridCuts<Real>(parts[0], range), range, add);
  addUncut(parts[1], GridCuts<Real>(parts[1], range), range, add);
}

/** \brief Most parts of a triangle that wait: two for each halving of the planes that
 * cut it, along three axes. */
constexpr int max_waiting_triangles = 2 * 3 * 6;

/** \brief Adds the area of a triangle to the voxels that it lies in.
 * \param[in] add called with number and area of a voxel, any number of times for each
 */
template <typename Real, typename Add>
PCL_GPU_HOST_DEVICE void
addToGrid(const GridTriangle<Real>& whole,
          const GridRange<float>& range,
          const Add& add)
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

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_grid_lanes.cpp"
#include "host_grid_lanes.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "point_lanes-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

HWY_ATTR void
makeLocal(const host::TriangleBatch& batch,
          const GridTransform& grid,
          host::LocalTriangles& local)
{
  using DoubleLanes = Lanes<DoubleTag>;
  const FloatTag tag;
  const HalfFloatTag half;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  local.count = batch.count;
  for (int i = 0; i < batch.count; i += lanes) {
    const PointLanes<FloatTag> near = inGrid(
        grid,
        loadPoints(
            tag, batch.corners[0] + i, batch.corners[1] + i, batch.corners[2] + i));
    store(roundedDownLanes(near.x), local.base[0] + i);
    store(roundedDownLanes(near.y), local.base[1] + i);
    store(roundedDownLanes(near.z), local.base[2] + i);
  }
  const DoubleLanes origin_x(grid.origin.x), origin_y(grid.origin.y),
      origin_z(grid.origin.z), middle(grid.middle);
  for (int i = 0; i < batch.count; i += static_cast<int>(hn::Lanes(half)))
    for (int corner = 0; corner < 9; corner += 3) {
      const DoubleLanes x = widen(load(half, batch.corners[corner] + i)) - origin_x;
      const DoubleLanes y = widen(load(half, batch.corners[corner + 1] + i)) - origin_y;
      const DoubleLanes z = widen(load(half, batch.corners[corner + 2] + i)) - origin_z;
      for (int k = 0; k < 3; ++k) {
        const GridPoint<double>& axis = grid.exact_axes[k];
        const DoubleLanes along = x * axis.x + y * axis.y + z * axis.z + middle;
        store(narrow(along - widen(load(half, local.base[k] + i))),
              local.corners[corner + k] + i);
      }
    }
  for (int i = 0; i < batch.count; i += lanes) {
    const auto corner = [&](int number) HWY_ATTR {
      return loadPoints(tag,
                        local.corners[number] + i,
                        local.corners[number + 1] + i,
                        local.corners[number + 2] + i);
    };
    store(areaOfLanes(corner(0), corner(3), corner(6)), local.area + i);
  }
}

/** \brief AxisSpan of a whole grid's axis. */
struct SpanLanes {
  using Numbers = Lanes<FloatTag>;
  using Mask = LaneMask<FloatTag>;

  Numbers low, high, range_first, range_last, cell, first, last;

  HWY_INLINE
  SpanLanes(Numbers a, Numbers b, Numbers c, Numbers base, float grid_size)
  : low(minimum(a, minimum(b, c)))
  , high(maximum(a, maximum(b, c)))
  , range_first(0.0f - base)
  , range_last(grid_size - base)
  , cell(roundedDownLanes(low))
  , first(maximum(range_first, cell + 1.0f))
  , last(minimum(range_last, -roundedDownLanes(-high) - 1.0f))
  {}

  HWY_INLINE Mask
  reaches() const
  {
    return (low < range_last) & ((low >= range_first) | (high > range_first));
  }

  HWY_INLINE Mask
  isCut() const
  {
    return first <= last;
  }

  HWY_INLINE Numbers
  cuts() const
  {
    return maximum(Numbers(0.0f), last - first + 1.0f);
  }

  HWY_INLINE Mask
  isFlat() const
  {
    const Mask apart = {hn::Ne(roundedDownLanes(low - 1e-5f).value,
                               roundedDownLanes(high + 1e-5f).value)};
    return (high - low < 0.02f) & apart;
  }
};

/** \brief GridCuts and CornerCut of some triangles. */
struct CutLanes {
  using Numbers = Lanes<FloatTag>;
  using Mask = LaneMask<FloatTag>;
  using Points = PointLanes<FloatTag>;

  Points a, b, c, base;
  Numbers area;
  SpanLanes x, y, z;
  Numbers plane;
  Mask b_is_alone, c_is_alone;
  Numbers height, s, t;

  HWY_INLINE
  CutLanes(const host::LocalTriangles& triangles, int i, float size)
  : a(corner(triangles.corners, i))
  , b(corner(triangles.corners + 3, i))
  , c(corner(triangles.corners + 6, i))
  , base(corner(triangles.base, i))
  , area(load(FloatTag(), triangles.area + i))
  , x(a.x, b.x, c.x, base.x, size)
  , y(a.y, b.y, c.y, base.y, size)
  , z(a.z, b.z, c.z, base.z, size)
  {
    const Numbers first = ofAxis(x.first, y.first, z.first);
    const Numbers last = ofAxis(x.last, y.last, z.last);
    plane = roundedDownLanes(0.5f * (first + last));
    const Numbers height_a = ofAxis(a.x, a.y, a.z) - plane;
    const Numbers height_b = ofAxis(b.x, b.y, b.z) - plane;
    const Numbers height_c = ofAxis(c.x, c.y, c.z) - plane;
    const Numbers zero(0.0f);
    const auto a_above = (height_a > zero).value;
    const auto b_above = (height_b > zero).value;
    const auto c_above = (height_c > zero).value;
    b_is_alone = {hn::Not(hn::Xor(a_above, c_above))};
    c_is_alone = {hn::AndNot(b_is_alone.value, hn::Not(hn::Xor(a_above, b_above)))};
    height = ofAlone(height_a, height_b, height_c);
    s = height / (height - ofAlone(height_b, height_c, height_a));
    t = height / (height - ofAlone(height_c, height_a, height_b));
  }

  HWY_INLINE Numbers
  ofAxis(Numbers of_x, Numbers of_y, Numbers of_z) const
  {
    return select(x.isCut(), of_x, select(y.isCut(), of_y, of_z));
  }

  /** \brief What belongs to the corner that is alone on its side. */
  template <typename T>
  HWY_INLINE T
  ofAlone(const T& of_a, const T& of_b, const T& of_c) const
  {
    return select(b_is_alone, of_b, select(c_is_alone, of_c, of_a));
  }

  HWY_INLINE Mask
  isFlat() const
  {
    return x.isFlat() | y.isFlat() | z.isFlat();
  }

  HWY_INLINE Mask
  reaches() const
  {
    return x.reaches() & y.reaches() & z.reaches() & (area > Numbers(0.0f));
  }

  HWY_INLINE Numbers
  cuts() const
  {
    return x.cuts() + y.cuts() + z.cuts();
  }

private:
  HWY_INLINE static Points
  corner(const float (*coordinates)[host::LocalTriangles::size], int i)
  {
    return loadPoints(
        FloatTag(), coordinates[0] + i, coordinates[1] + i, coordinates[2] + i);
  }
};

/** \brief Numbers of the voxels that triangles begin in, or those that a plane has above it.
 * \param[in] along the number across the axis of the plane
 */
HWY_INLINE hn::Vec<hn::RebindToSigned<FloatTag>>
voxelNumberLanes(const CutLanes& cut,
                 LaneMask<FloatTag> is_whole,
                 Lanes<FloatTag> along,
                 float size)
{
  const hn::RebindToSigned<FloatTag> int_tag;
  const LaneMask<FloatTag> cut_x = {hn::AndNot(is_whole.value, cut.x.isCut().value)};
  const LaneMask<FloatTag> cut_y = {
      hn::AndNot(cut.x.isCut().value, hn::AndNot(is_whole.value, cut.y.isCut().value))};
  const LaneMask<FloatTag> cut_z = {hn::Not(
      hn::Or(is_whole.value, hn::Or(cut.x.isCut().value, cut.y.isCut().value)))};
  const Lanes<FloatTag> i = select(cut_x, along, cut.x.cell) + cut.base.x;
  const Lanes<FloatTag> j = select(cut_y, along, cut.y.cell) + cut.base.y;
  const Lanes<FloatTag> k = select(cut_z, along, cut.z.cell) + cut.base.z;
  // Whole numbers that single precision holds.
  return hn::ConvertTo(int_tag, ((k * size + j) * size + i).value);
}

HWY_ATTR void
cutOnce(const host::LocalTriangles& triangles,
        int grid_size,
        bool are_whole,
        host::CutAreas& result)
{
  using Numbers = Lanes<FloatTag>;
  using Mask = LaneMask<FloatTag>;
  const FloatTag tag;
  const hn::RebindToSigned<FloatTag> int_tag;
  const auto number = [int_tag](int value) HWY_ATTR {
    return hn::Set(int_tag, static_cast<std::int32_t>(value));
  };
  const auto ints = [int_tag](Mask mask)
                        HWY_ATTR { return hn::RebindMask(int_tag, mask.value); };
  const float size = static_cast<float>(grid_size);
  for (int i = 0; i < triangles.count; i += static_cast<int>(hn::Lanes(tag))) {
    const CutLanes cut(triangles, i, size);
    const Numbers cuts = cut.cuts();
    const Mask reaches = cut.reaches();
    const Mask is_whole = cuts < Numbers(1.0f);
    const Mask has_upper =
        is_whole |
        (cut.plane < cut.ofAxis(cut.x.range_last, cut.y.range_last, cut.z.range_last));
    const Mask above_first =
        cut.plane > cut.ofAxis(cut.x.range_first, cut.y.range_first, cut.z.range_first);
    const Mask has_lower = {hn::AndNot(is_whole.value, above_first.value)};
    const Mask is_cut_more = reaches & (cuts > Numbers(1.0f));
    auto upper = hn::IfThenElse(ints(reaches & has_upper),
                                voxelNumberLanes(cut, is_whole, cut.plane, size),
                                number(outside_of_grid));
    const auto lower =
        hn::IfThenElse(ints(reaches & has_lower),
                       voxelNumberLanes(cut, is_whole, cut.plane - 1.0f, size),
                       number(outside_of_grid));
    upper = hn::IfThenElse(ints(is_cut_more), number(has_to_be_cut), upper);
    if (are_whole)
      upper = hn::IfThenElse(ints(cut.isFlat()), number(host::has_to_be_exact), upper);
    const Numbers corner_area = cut.area * (cut.s * cut.t);
    const Numbers rest = cut.area - corner_area;
    const Mask corner_is_above = cut.height > Numbers(0.0f);
    hn::StoreU(upper, int_tag, result.voxels[0] + i);
    hn::StoreU(lower, int_tag, result.voxels[1] + i);
    store(select(is_whole, cut.area, select(corner_is_above, corner_area, rest)),
          result.areas[0] + i);
    store(select(corner_is_above, rest, corner_area), result.areas[1] + i);
  }
}

HWY_ATTR void
cutInThree(const host::LocalTriangles& triangles,
           int grid_size,
           host::LocalTriangles& parts)
{
  using Numbers = Lanes<FloatTag>;
  using Points = PointLanes<FloatTag>;
  const float size = static_cast<float>(grid_size);
  const int count = triangles.count;
  parts.count = 3 * count;
  const Numbers one(1.0f);
  // Part by part, as what is stored behind the last triangle belongs to the next part.
  for (int part = 0; part < 3; ++part)
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(FloatTag()))) {
      const CutLanes cut(triangles, i, size);
      const Points corner = cut.ofAlone(cut.a, cut.b, cut.c);
      const Points b = cut.ofAlone(cut.b, cut.c, cut.a);
      const Points c = cut.ofAlone(cut.c, cut.a, cut.b);
      const LaneMask<FloatTag> along_x = cut.x.isCut();
      const LaneMask<FloatTag> along_y = {
          hn::AndNot(along_x.value, cut.y.isCut().value)};
      const LaneMask<FloatTag> along_z = {
          hn::Not(hn::Or(along_x.value, along_y.value))};
      const auto between = [&](const Points& to, Numbers share) HWY_ATTR {
        return Points{select(along_x, cut.plane, corner.x + share * (to.x - corner.x)),
                      select(along_y, cut.plane, corner.y + share * (to.y - corner.y)),
                      select(along_z, cut.plane, corner.z + share * (to.z - corner.z))};
      };
      const Points u = between(b, cut.s), v = between(c, cut.t);
      const int to = part * count + i;
      const auto put = [&](int number, const Points& p) HWY_ATTR {
        store(p.x, parts.corners[number] + to);
        store(p.y, parts.corners[number + 1] + to);
        store(p.z, parts.corners[number + 2] + to);
      };
      put(0, part == 0 ? corner : u);
      put(3, part == 0 ? u : part == 1 ? b : c);
      put(6, part == 1 ? c : v);
      store(cut.base.x, parts.base[0] + to);
      store(cut.base.y, parts.base[1] + to);
      store(cut.base.z, parts.base[2] + to);
      store(part == 0   ? cut.area * (cut.s * cut.t)
            : part == 1 ? cut.area * (one - cut.s)
                        : cut.area * (cut.s * (one - cut.t)),
            parts.area + to);
    }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(makeLocal);
HWY_EXPORT(cutOnce);
HWY_EXPORT(cutInThree);

void
host::makeLocal(const TriangleBatch& batch,
                const GridTransform& grid,
                LocalTriangles& triangles)
{
  HWY_DYNAMIC_DISPATCH(makeLocal)(batch, grid, triangles);
}

void
host::cutOnce(const LocalTriangles& triangles,
              int grid_size,
              bool are_whole,
              CutAreas& result)
{
  HWY_DYNAMIC_DISPATCH(cutOnce)(triangles, grid_size, are_whole, result);
}

void
host::cutInThree(const LocalTriangles& triangles, int grid_size, LocalTriangles& parts)
{
  HWY_DYNAMIC_DISPATCH(cutInThree)(triangles, grid_size, parts);
}

} // namespace pcl::device
#endif

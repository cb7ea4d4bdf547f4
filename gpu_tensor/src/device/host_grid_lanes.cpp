// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_grid_lanes.cpp"
#include "host_grid_lanes.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <pcl/gpu/utils/device/lanes-inl.h>

#include <cmath>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief As many lanes as a cell has columns, or less. */
using CellTag = hn::CappedTag<float, mesh_cell_columns>;

template <typename Tag>
struct PointLanes {
  Lanes<Tag> x, y, z;
};

template <typename Tag>
HWY_INLINE PointLanes<Tag>
operator-(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
select(LaneMask<Tag> condition, const PointLanes<Tag>& yes, const PointLanes<Tag>& no)
{
  return {select(condition, yes.x, no.x),
          select(condition, yes.y, no.y),
          select(condition, yes.z, no.z)};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
lowest(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z)};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
highest(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
roundedDownLanes(Lanes<Tag> a)
{
  return {hn::Floor(a.value)};
}

/** \brief roundedArea(), and the area of makeGridTriangle(). */
template <typename Tag>
HWY_INLINE Lanes<Tag>
areaOfLanes(const PointLanes<Tag>& a,
            const PointLanes<Tag>& b,
            const PointLanes<Tag>& c)
{
  const PointLanes<Tag> u = b - a, v = c - a;
  const Lanes<Tag> x = u.y * v.z - u.z * v.y;
  const Lanes<Tag> y = u.z * v.x - u.x * v.z;
  const Lanes<Tag> z = u.x * v.y - u.y * v.x;
  return 0.5f * squareRoot(x * x + y * y + z * z);
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
loadPoints(Tag tag, const float* x, const float* y, const float* z)
{
  return {load(tag, x), load(tag, y), load(tag, z)};
}

/** \brief GridTransform in single precision. */
template <typename Tag>
HWY_INLINE PointLanes<Tag>
inGrid(const GridTransform& grid, const PointLanes<Tag>& p)
{
  const Lanes<Tag> x = p.x - grid.origin.x;
  const Lanes<Tag> y = p.y - grid.origin.y;
  const Lanes<Tag> z = p.z - grid.origin.z;
  const auto along = [&](const Vector3& axis) HWY_ATTR {
    return x * axis.x + y * axis.y + z * axis.z + grid.middle;
  };
  return {along(grid.x), along(grid.y), along(grid.z)};
}

/** \brief Some quads of a row: which triangles they have, and their corners. */
struct QuadLanes {
  LaneMask<CellTag> upper, lower;
  PointLanes<CellTag> a, b;         ///< of the diagonal
  PointLanes<CellTag> above, below; ///< the corners off the diagonal

  HWY_INLINE
  QuadLanes(const std::uint8_t* triangles,
            const PointLanes<CellTag>& top_left,
            const PointLanes<CellTag>& top_right,
            const PointLanes<CellTag>& bottom_left,
            const PointLanes<CellTag>& bottom_right)
  {
    const CellTag tag;
    const hn::RebindToSigned<CellTag> int_tag;
    const hn::Rebind<std::uint8_t, CellTag> byte_tag;
    const auto bits = hn::PromoteTo(int_tag, hn::LoadU(byte_tag, triangles));
    const auto has = [&](int bit) HWY_ATTR {
      return LaneMask<CellTag>{
          hn::RebindMask(tag, hn::TestBit(bits, hn::Set(int_tag, bit)))};
    };
    upper = has(1);
    lower = has(2);
    const LaneMask<CellTag> right_cut = has(8);
    a = select(right_cut, top_left, top_right);
    b = select(right_cut, bottom_right, bottom_left);
    above = select(right_cut, top_right, top_left);
    below = select(right_cut, bottom_left, bottom_right);
  }
};

/** \brief The corners of the box around a quad's triangles, if it has any. */
struct QuadBox {
  PointLanes<CellTag> low, high;

  HWY_INLINE explicit QuadBox(const QuadLanes& quad)
  {
    const PointLanes<CellTag> third = select(quad.upper, quad.above, quad.below);
    const PointLanes<CellTag> fourth = select(quad.lower, quad.below, third);
    low = lowest(lowest(quad.a, quad.b), lowest(third, fourth));
    high = highest(highest(quad.a, quad.b), highest(third, fourth));
  }
};

HWY_ATTR TriangleBounds
boundsOfCell(const host::MeshPlanes& cell)
{
  const CellTag tag;
  constexpr int lanes = hn::MaxLanes(CellTag());
  static_assert(mesh_cell_columns % lanes == 0, "whole registers");
  const Lanes<CellTag> most(INFINITY), least(-INFINITY);
  PointLanes<CellTag> low = {most, most, most}, high = {least, least, least};
  for (int column = 0; column < mesh_cell_columns; column += lanes)
    for (int row = 0; row < mesh_cell_rows; ++row) {
      const auto corners = [&](int right, int down) HWY_ATTR {
        const host::MeshPlanes at = cell.at(column + right, row + down);
        return loadPoints(tag, at.x, at.y, at.z);
      };
      const QuadLanes quad(cell.at(column, row).triangles,
                           corners(0, 0),
                           corners(1, 0),
                           corners(0, 1),
                           corners(1, 1));
      const QuadBox box(quad);
      const LaneMask<CellTag> exists = quad.upper | quad.lower;
      low = select(exists, lowest(low, box.low), low);
      high = select(exists, highest(high, box.high), high);
    }
  const auto least_of = [&](Lanes<CellTag> v) HWY_ATTR {
    return hn::GetLane(hn::MinOfLanes(tag, v.value));
  };
  const auto most_of = [&](Lanes<CellTag> v) HWY_ATTR {
    return hn::GetLane(hn::MaxOfLanes(tag, v.value));
  };
  return {{least_of(low.x), least_of(low.y), least_of(low.z)},
          {most_of(high.x), most_of(high.y), most_of(high.z)}};
}

/** \brief voxelOf() of a whole grid. */
HWY_INLINE hn::Vec<hn::RebindToSigned<CellTag>>
voxelOfLanes(const QuadBox& box, LaneMask<CellTag> exists, int grid_size, float middle)
{
  const hn::RebindToSigned<CellTag> int_tag;
  const PointLanes<CellTag>&low = box.low, &high = box.high;
  const Lanes<CellTag> reach =
      maximum(maximum(high.x, maximum(high.y, high.z)) - middle,
              middle - minimum(low.x, minimum(low.y, low.z)));
  const Lanes<CellTag> rounding = 6e-7f * reach + 1e-6f;
  const Lanes<CellTag> last(static_cast<float>(grid_size)), first(0.0f);
  LaneMask<CellTag> reaches = exists, within = exists;
  const auto cell_along = [&](Lanes<CellTag> from, Lanes<CellTag> to) HWY_ATTR {
    const Lanes<CellTag> cell = roundedDownLanes(from - rounding);
    reaches = reaches & (to > first - rounding) & (from < last + rounding);
    within = within & (to + rounding < cell + 1.0f) & (cell >= first) & (cell < last);
    return cell;
  };
  const Lanes<CellTag> i = cell_along(low.x, high.x);
  const Lanes<CellTag> j = cell_along(low.y, high.y);
  const Lanes<CellTag> k = cell_along(low.z, high.z);
  // Whole numbers that single precision holds.
  const auto voxel = hn::ConvertTo(int_tag, ((k * last + j) * last + i).value);
  const auto otherwise =
      hn::IfThenElse(hn::RebindMask(int_tag, reaches.value),
                     hn::Set(int_tag, static_cast<std::int32_t>(has_to_be_cut)),
                     hn::Set(int_tag, static_cast<std::int32_t>(outside_of_grid)));
  return hn::IfThenElse(hn::RebindMask(int_tag, within.value), voxel, otherwise);
}

HWY_ATTR void
findVoxels(const host::MeshPlanes& cell,
           const GridTransform& grid,
           int grid_size,
           host::CellVoxels& result)
{
  const CellTag tag;
  const hn::RebindToSigned<CellTag> int_tag;
  constexpr int lanes = hn::MaxLanes(CellTag());
  const Lanes<CellTag> none(0.0f);
  for (int column = 0; column < mesh_cell_columns; column += lanes) {
    const auto corners = [&](int right, int row) HWY_ATTR {
      const host::MeshPlanes at = cell.at(column + right, row);
      return inGrid(grid, loadPoints(tag, at.x, at.y, at.z));
    };
    PointLanes<CellTag> top_left = corners(0, 0), top_right = corners(1, 0);
    for (int row = 0; row < mesh_cell_rows; ++row) {
      const PointLanes<CellTag> bottom_left = corners(0, row + 1);
      const PointLanes<CellTag> bottom_right = corners(1, row + 1);
      const QuadLanes quad(cell.at(column, row).triangles,
                           top_left,
                           top_right,
                           bottom_left,
                           bottom_right);
      const auto voxels =
          voxelOfLanes(QuadBox(quad), quad.upper | quad.lower, grid_size, grid.middle);
      const Lanes<CellTag> areas =
          select(quad.upper, areaOfLanes(quad.a, quad.b, quad.above), none) +
          select(quad.lower, areaOfLanes(quad.a, quad.b, quad.below), none);
      const int place = row * mesh_cell_columns + column;
      hn::StoreU(voxels, int_tag, result.voxels + place);
      store(areas, result.areas + place);
      top_left = bottom_left;
      top_right = bottom_right;
    }
  }
}

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
namespace pcl {
namespace device {

HWY_EXPORT(boundsOfCell);
HWY_EXPORT(findVoxels);
HWY_EXPORT(makeLocal);
HWY_EXPORT(cutOnce);
HWY_EXPORT(cutInThree);

TriangleBounds
host::boundsOfCell(const MeshPlanes& cell)
{
  return HWY_DYNAMIC_DISPATCH(boundsOfCell)(cell);
}

void
host::findVoxels(const MeshPlanes& cell,
                 const GridTransform& grid,
                 int grid_size,
                 CellVoxels& result)
{
  HWY_DYNAMIC_DISPATCH(findVoxels)(cell, grid, grid_size, result);
}

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

} // namespace device
} // namespace pcl
#endif

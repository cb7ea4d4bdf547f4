// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_cell_lanes.cpp"
#include "host_grid_lanes.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "point_lanes-inl.h"

#include <cmath>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief As many lanes as a cell has columns, or less. */
using CellTag = hn::CappedTag<float, mesh_cell_columns>;

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

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(boundsOfCell);
HWY_EXPORT(findVoxels);

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

} // namespace pcl::device
#endif

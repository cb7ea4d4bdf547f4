// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TENSOR_HOST_CLIPPING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TENSOR_HOST_CLIPPING_INL_H
#undef PCL_GPU_TENSOR_HOST_CLIPPING_INL_H
#else
#define PCL_GPU_TENSOR_HOST_CLIPPING_INL_H
#endif

#include "tensors/mesh_cells-inl.h"

#include <cmath>
#include <cstdint>

// Many quads or triangles at once on the host: as many as a register has lanes.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief An organized mesh, coordinate by coordinate, with a margin of zeros that
 * fills its last cells. */
struct MeshPlanes {
  float *x, *y, *z; ///< of points; 0 where there is none
  /** \brief Of quads: bit 0 for the upper triangle, 1 for the lower one, 3 if cut to
   * the right. Both bits for quads that are not cut. */
  std::uint8_t* triangles;
  int stride; ///< from row to row
  int rows;

  /** \brief The planes from one quad on. */
  MeshPlanes
  at(int column, int row) const
  {
    const std::size_t place = static_cast<std::size_t>(row) * stride + column;
    return {x + place, y + place, z + place, triangles + place, stride, rows - row};
  }
};

/** \brief As many lanes as a cell has columns, or less. */
using CellTag = hn::CappedTag<float, mesh_cell_columns>;
using CellPoints = GridPoint<Lanes<CellTag>>;

/** \brief Some quads of a row: which triangles they have, and their corners. */
struct QuadLanes {
  LaneMask<CellTag> upper, lower;
  CellPoints a, b;         ///< of the diagonal
  CellPoints above, below; ///< the corners off the diagonal

  HWY_INLINE
  QuadLanes(const std::uint8_t* triangles,
            const CellPoints& top_left,
            const CellPoints& top_right,
            const CellPoints& bottom_left,
            const CellPoints& bottom_right)
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
    const LaneMask<CellTag> right_cut = has(right_cut_bit);
    a = select(right_cut, top_left, top_right);
    b = select(right_cut, bottom_right, bottom_left);
    above = select(right_cut, top_right, top_left);
    below = select(right_cut, bottom_left, bottom_right);
  }
};

/** \brief The box around a quad's triangles, if it has any. */
HWY_INLINE GridBox<Lanes<CellTag>>
boxOf(const QuadLanes& quad)
{
  const CellPoints third = select(quad.upper, quad.above, quad.below);
  const CellPoints fourth = select(quad.lower, quad.below, third);
  return {lowest(lowest(quad.a, quad.b), lowest(third, fourth)),
          highest(highest(quad.a, quad.b), highest(third, fourth))};
}

/** \brief Finds the box around the triangles of a cell.
 * \param[in] cell the planes from its first quad on
 */
HWY_ATTR PointBounds
boundsOfCell(const MeshPlanes& cell)
{
  const CellTag tag;
  constexpr int lanes = hn::MaxLanes(CellTag());
  static_assert(mesh_cell_columns % lanes == 0, "whole registers");
  const Lanes<CellTag> most(INFINITY), least(-INFINITY);
  CellPoints low = {most, most, most}, high = {least, least, least};
  for (int column = 0; column < mesh_cell_columns; column += lanes)
    for (int row = 0; row < mesh_cell_rows; ++row) {
      const auto corners = [&](int right, int down) HWY_ATTR {
        const MeshPlanes at = cell.at(column + right, row + down);
        return loadPoints(tag, at.x, at.y, at.z);
      };
      const QuadLanes quad(cell.at(column, row).triangles,
                           corners(0, 0),
                           corners(1, 0),
                           corners(0, 1),
                           corners(1, 1));
      const GridBox<Lanes<CellTag>> box = boxOf(quad);
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

/** \brief Results of addWithinVoxel() for the quads of a cell. */
struct CellVoxels {
  std::int32_t voxels[mesh_cell_size]; ///< or outside_of_grid, or several_voxels
  float areas[mesh_cell_size];         ///< of both triangles
};

/** \brief Finds the voxels of the quads of a cell, as addWithinVoxel() does for one. */
HWY_ATTR void
findVoxels(const MeshPlanes& cell,
           const GridTransform& grid,
           const GridRange<float>& range,
           CellVoxels& result)
{
  const CellTag tag;
  constexpr int lanes = hn::MaxLanes(CellTag());
  const Lanes<CellTag> none(0.0f);
  const Lanes<CellTag> outside(static_cast<float>(outside_of_grid));
  for (int column = 0; column < mesh_cell_columns; column += lanes) {
    const auto corners = [&](int right, int row) HWY_ATTR {
      const MeshPlanes at = cell.at(column + right, row);
      return grid(loadPoints(tag, at.x, at.y, at.z));
    };
    CellPoints top_left = corners(0, 0), top_right = corners(1, 0);
    for (int row = 0; row < mesh_cell_rows; ++row) {
      const CellPoints bottom_left = corners(0, row + 1);
      const CellPoints bottom_right = corners(1, row + 1);
      const QuadLanes quad(cell.at(column, row).triangles,
                           top_left,
                           top_right,
                           bottom_left,
                           bottom_right);
      const Lanes<CellTag> voxels = select(
          quad.upper | quad.lower, boxOf(quad).voxel(range, grid.middle), outside);
      const Lanes<CellTag> areas =
          select(quad.upper, areaOf(quad.a, quad.b, quad.above), none) +
          select(quad.lower, areaOf(quad.a, quad.b, quad.below), none);
      const int place = row * mesh_cell_columns + column;
      storeWhole(voxels, result.voxels + place);
      store(areas, result.areas + place);
      top_left = bottom_left;
      top_right = bottom_right;
    }
  }
}

using FloatLanes = Lanes<FloatTag>;

/** \brief Numbers of triangles, in a row of each kind: x, y, z of the corners a, b, c
 * come first. */
template <int Rows, int Size>
struct TriangleRows {
  static constexpr int size = Size;
  float rows[Rows][Size];
  int count = 0;

  /** \brief Returns a point of a triangle.
   * \tparam Point of three numbers
   */
  template <typename Point>
  Point
  point(int triangle, int number) const
  {
    const float(*const from)[Size] = rows + 3 * number;
    return {from[0][triangle], from[1][triangle], from[2][triangle]};
  }

  /** \brief Loads a point of several triangles. */
  template <typename Tag>
  HWY_INLINE GridPoint<Lanes<Tag>>
  loadPoint(Tag tag, int first, int number) const
  {
    const float(*const from)[Size] = rows + 3 * number;
    return loadPoints(tag, from[0] + first, from[1] + first, from[2] + first);
  }

  HWY_INLINE void
  storePoint(int first, int number, const GridPoint<FloatLanes>& p)
  {
    float(*const to)[Size] = rows + 3 * number;
    store(p.x, to[0] + first);
    store(p.y, to[1] + first);
    store(p.z, to[2] + first);
  }
};

/** \brief Triangles that may have to be cut. */
using TriangleBatch = TriangleRows<9, 128>;

/** \brief Triangles of a grid with coordinates that are counted from a voxel near each,
 * the fourth point, and with their areas. There is room for the parts of a batch that
 * was cut, and whole registers behind them. */
struct LocalTriangles : TriangleRows<13, 3 * TriangleBatch::size + 32> {
  static constexpr int base = 3;  ///< a point
  static constexpr int area = 12; ///< a row

  HWY_INLINE GridTriangle<FloatLanes>
  loadTriangles(int first) const
  {
    const FloatTag tag;
    return {loadPoint(tag, first, 0),
            loadPoint(tag, first, 1),
            loadPoint(tag, first, 2),
            load(tag, rows[area] + first)};
  }
};

/** \brief Transforms the triangles of a batch into a grid: LocalTriangle of many. */
HWY_ATTR void
makeLocal(const TriangleBatch& batch, const GridTransform& grid, LocalTriangles& local)
{
  const FloatTag tag;
  const HalfFloatTag half;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  local.count = batch.count;
  for (int i = 0; i < batch.count; i += lanes) {
    const GridPoint<FloatLanes> near = grid(batch.loadPoint(tag, i, 0));
    local.storePoint(i,
                     LocalTriangles::base,
                     {roundDown(near.x), roundDown(near.y), roundDown(near.z)});
  }
  for (int i = 0; i < batch.count; i += static_cast<int>(hn::Lanes(half)))
    for (int corner = 0; corner < 3; ++corner) {
      const GridPoint<Lanes<HalfFloatTag>> base =
          local.loadPoint(half, i, LocalTriangles::base);
      const GridPoint<Lanes<HalfFloatTag>> p = batch.loadPoint(half, i, corner);
      const GridPoint<Lanes<DoubleTag>> exact = grid.exact<Lanes<DoubleTag>>(
          GridPoint<Lanes<DoubleTag>>{widen(p.x), widen(p.y), widen(p.z)});
      store(narrow(exact.x - widen(base.x)), local.rows[3 * corner] + i);
      store(narrow(exact.y - widen(base.y)), local.rows[3 * corner + 1] + i);
      store(narrow(exact.z - widen(base.z)), local.rows[3 * corner + 2] + i);
    }
  for (int i = 0; i < batch.count; i += lanes)
    store(areaOf(local.loadPoint(tag, i, 0),
                 local.loadPoint(tag, i, 1),
                 local.loadPoint(tag, i, 2)),
          local.rows[LocalTriangles::area] + i);
}

/** \brief Single precision is not enough for a triangle. */
constexpr int inexact_voxel = -3;

/** \brief The areas of triangles that no plane cuts, or one does. */
struct CutAreas {
  /** \brief outside_of_grid for none; the first one several_voxels where there are more
   * planes, or inexact_voxel. */
  std::int32_t voxels[2][LocalTriangles::size];
  float areas[2][LocalTriangles::size];
};

/** \brief Finds the areas of triangles.
 * \param[in] are_whole whether they may have to be exact, which no part of a cut one
 * has to
 */
HWY_ATTR void
cutOnce(const LocalTriangles& triangles,
        const GridRange<float>& range,
        bool are_whole,
        CutAreas& result)
{
  using Mask = LaneMask<FloatTag>;
  const FloatLanes one(1.0f), outside(static_cast<float>(outside_of_grid));
  const FloatLanes cut_more(static_cast<float>(several_voxels));
  const FloatLanes exact(static_cast<float>(inexact_voxel));
  const FloatTag tag;
  for (int i = 0; i < triangles.count; i += static_cast<int>(hn::Lanes(tag))) {
    const GridTriangle<FloatLanes> triangle = triangles.loadTriangles(i);
    const GridRange<FloatLanes> local =
        countedFrom(range, triangles.loadPoint(tag, i, LocalTriangles::base));
    const GridCuts<FloatLanes> cuts(triangle, local);
    const CutSides<FloatLanes> sides(triangle, cuts, local);
    const Mask is_whole = cuts.planes < one;
    FloatLanes upper = select(is_whole,
                              voxelNumber(local, cuts.cell.x, cuts.cell.y, cuts.cell.z),
                              select(sides.has_upper, sides.upper, outside));
    upper = select(cuts.planes > one, cut_more, upper);
    upper = select(cuts.reaches, upper, outside);
    if (are_whole)
      upper = select(cuts.is_flat, exact, upper);
    const FloatLanes lower =
        select(cuts.reaches & sides.has_lower & !is_whole, sides.lower, outside);
    storeWhole(upper, result.voxels[0] + i);
    storeWhole(lower, result.voxels[1] + i);
    store(select(is_whole, triangle.area, sides.upper_area), result.areas[0] + i);
    store(sides.lower_area, result.areas[1] + i);
  }
}

/** \brief Cuts each triangle by one plane into three, as cutTriangle() does.
 * \param[in] triangles at most a batch, which more than one plane cut
 */
HWY_ATTR void
cutInThree(const LocalTriangles& triangles,
           const GridRange<float>& range,
           LocalTriangles& parts)
{
  const FloatTag tag;
  const int count = triangles.count;
  parts.count = 3 * count;
  // Part by part, as a register's rest behind the last triangle belongs to the next
  // part.
  for (int number = 0; number < 3; ++number)
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(tag))) {
      const GridTriangle<FloatLanes> triangle = triangles.loadTriangles(i);
      const GridPoint<FloatLanes> base =
          triangles.loadPoint(tag, i, LocalTriangles::base);
      const GridCuts<FloatLanes> cuts(triangle, countedFrom(range, base));
      const GridTriangle<FloatLanes> part =
          CornerCut<FloatLanes>(triangle, cuts).part(number, cuts);
      const int to = number * count + i;
      parts.storePoint(to, 0, part.a);
      parts.storePoint(to, 1, part.b);
      parts.storePoint(to, 2, part.c);
      parts.storePoint(to, LocalTriangles::base, base);
      store(part.area, parts.rows[LocalTriangles::area] + to);
    }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

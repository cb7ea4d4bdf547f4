// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TENSOR_HOST_CELLS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TENSOR_HOST_CELLS_INL_H
#undef PCL_GPU_TENSOR_HOST_CELLS_INL_H
#else
#define PCL_GPU_TENSOR_HOST_CELLS_INL_H
#endif

#include "tensors/mesh_cells-inl.h"

#include <cmath>
#include <cstdint>

// Quads of a cell on the host, as many at once as a register has lanes.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief An organized mesh, coordinate by coordinate, with a margin of zeros that fills its
 * last cells. */
struct MeshPlanes {
  float *x, *y, *z; ///< of points; 0 where there is none
  /** \brief Of quads: bit 0 for the upper triangle, 1 for the lower one, 3 if cut to the
   * right. Both bits for quads that are not cut. */
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
    const LaneMask<CellTag> right_cut = has(8);
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
HWY_ATTR TriangleBounds
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
  std::int32_t voxels[mesh_cell_size]; ///< or outside_of_grid, or has_to_be_cut
  float areas[mesh_cell_size];         ///< of both triangles
};

/** \brief Does for the quads of a cell what addWithinVoxel() does for one. */
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
      return grid(load(tag, at.x), load(tag, at.y), load(tag, at.z));
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

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

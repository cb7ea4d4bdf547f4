// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TENSOR_MESH_CELLS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TENSOR_MESH_CELLS_INL_H
#undef PCL_GPU_TENSOR_MESH_CELLS_INL_H
#else
#define PCL_GPU_TENSOR_MESH_CELLS_INL_H
#endif

#include "common/vectors.hpp"
#include "tensors/grid_clipping-inl.h"
#include "tensors/tensor_task.h"

#include <pcl/gpu/triangulation/cut.h>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <cmath>

// Triangles in cells of 32 quads (or 32 triangles), and cells in blocks of 64. Blocks
// and cells that cannot reach a grid are left out.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A cell of an organized mesh has 8 x 4 quads, a block 8 x 8 cells. */
constexpr int mesh_cell_columns = 8;
constexpr int mesh_cell_rows = 4;
constexpr int mesh_cell_size = mesh_cell_columns * mesh_cell_rows;
constexpr int mesh_block_side = 8;
constexpr int mesh_block_size = mesh_block_side * mesh_block_side;

/** \brief A place of a cell has up to two triangles. */
constexpr int triangles_per_place = 2;

/** \brief A triangle of a mesh. */
struct MeshTriangle {
  bool exists = false;
  Vector3 a, b, c;
};

/** \brief Division of a mesh into cells. */
struct MeshCells {
  int columns, rows; ///< cells; one row if not organized
  int block_columns, block_rows;

  PCL_GPU_HOST_DEVICE int
  cells() const
  {
    return columns * rows;
  }

  PCL_GPU_HOST_DEVICE int
  blocks() const
  {
    return block_columns * block_rows;
  }

  /** \brief Number of a block's cell \a index; -1 beyond the edge. */
  PCL_GPU_HOST_DEVICE int
  cellOfBlock(int block, int index) const
  {
    if (rows == 1) {
      const int cell = block * mesh_block_size + index;
      return cell < columns ? cell : -1;
    }
    const int x = block % block_columns * mesh_block_side + index % mesh_block_side;
    const int y = block / block_columns * mesh_block_side + index / mesh_block_side;
    return x < columns && y < rows ? y * columns + x : -1;
  }
};

PCL_GPU_HOST_DEVICE MeshCells
meshCells(const TensorMesh& mesh)
{
  if (mesh.triangles) {
    const int cells = divideUp(mesh.triangle_count, mesh_cell_size);
    return {cells, 1, divideUp(cells, mesh_block_size), 1};
  }
  // Two rows at least, as one row means that the mesh is not organized.
  const int columns = divideUp(mesh.points.cols, mesh_cell_columns);
  const int rows = divideUp(mesh.points.rows, mesh_cell_rows);
  return {columns,
          rows < 2 ? 2 : rows,
          divideUp(columns, mesh_block_side),
          divideUp(rows < 2 ? 2 : rows, mesh_block_side)};
}

/** \brief Bits of gpu::QuadValidity: upper and lower triangle, or whole quad; and
 * whether a quad is cut from the left to down right. */
constexpr int upper_bits = gpu::UpperTriangle | gpu::WholeQuad;
constexpr int lower_bits = gpu::LowerTriangle | gpu::WholeQuad;
constexpr int right_cut_bit = gpu::RightCut;

/** \brief A corner of a quad: whether it is on the right and down. */
struct QuadCorner {
  int right, down;
};

/** \brief Returns corner number \a corner of triangle \a i of a quad: the upper
 * triangle has the quad's own point, the lower one that down and right. */
PCL_GPU_HOST_DEVICE QuadCorner
quadCorner(int i, int corner, bool right_cut)
{
  return corner == 0   ? QuadCorner{i == 1 && !right_cut, 0}
         : corner == 1 ? QuadCorner{i == 0 && right_cut, 1}
                       : QuadCorner{1, i == 1};
}

/** \brief Returns the triangles of a quad that exist: bit i for triangle i.
 * \param[in] bits of its validity
 * \param[in] has_diagonal whether both of its points exist
 * \param[in] has_above,has_below whether the points off the diagonal exist
 */
PCL_GPU_HOST_DEVICE int
existingTriangles(int bits, bool has_diagonal, bool has_above, bool has_below)
{
  const bool upper = (bits & upper_bits) && has_diagonal && has_above;
  const bool lower = (bits & lower_bits) && has_diagonal && has_below;
  return (upper ? 1 : 0) | (lower ? 2 : 0);
}

/** \brief Triangle \a i of quad (x, y) of an organized mesh. */
PCL_GPU_HOST_DEVICE MeshTriangle
quadTriangle(const TensorMesh& mesh, int x, int y, int i)
{
  if (x + 1 >= mesh.points.cols || y + 1 >= mesh.points.rows)
    return {};
  const int bits = mesh.validity.ptr(y)[x];
  if (!(bits & (i == 0 ? upper_bits : lower_bits)))
    return {};
  const auto point = [&mesh, x, y, i, bits](int number) {
    const QuadCorner corner = quadCorner(i, number, bits & right_cut_bit);
    return vectorOf(mesh.points.ptr(y + corner.down)[x + corner.right]);
  };
  return {true, point(0), point(1), point(2)};
}

/** \brief Triangle \a number of a mesh that is not organized. */
PCL_GPU_HOST_DEVICE MeshTriangle
indexedTriangle(const TensorMesh& mesh, int number)
{
  MeshTriangle triangle;
  triangle.exists = number < mesh.triangle_count;
  if (!triangle.exists)
    return triangle;
  const auto corner = [&](int i) {
    const int vertex = mesh.triangles[3 * static_cast<std::size_t>(number) + i];
    if (vertex < 0 || vertex >= mesh.points.cols) {
      triangle.exists = false;
      return Vector3{0.0f, 0.0f, 0.0f};
    }
    return vectorOf(mesh.points.data[vertex]);
  };
  triangle.a = corner(0);
  triangle.b = corner(1);
  triangle.c = corner(2);
  return triangle;
}

PCL_GPU_HOST_DEVICE bool
isFinite(const Vector3& p)
{
  const float sum = p.x + p.y + p.z;
  return sum - sum == 0.0f;
}

/** \brief First quad of a cell, or first triangle if the mesh is not organized. */
struct CellOrigin {
  int x, y;
};

PCL_GPU_HOST_DEVICE CellOrigin
cellOrigin(const TensorMesh& mesh, const MeshCells& cells, int cell)
{
  if (mesh.triangles)
    return {cell * mesh_cell_size, 0};
  const int row = cell / cells.columns;
  return {(cell - row * cells.columns) * mesh_cell_columns, row * mesh_cell_rows};
}

/** \brief Triangle \a i of place \a place of a cell; without those that have a corner
 * missing. */
PCL_GPU_HOST_DEVICE MeshTriangle
cellTriangle(const TensorMesh& mesh, const CellOrigin& cell, int place, int i)
{
  MeshTriangle triangle;
  if (!mesh.triangles)
    triangle = quadTriangle(mesh,
                            cell.x + place % mesh_cell_columns,
                            cell.y + place / mesh_cell_columns,
                            i);
  else if (i == 0)
    triangle = indexedTriangle(mesh, cell.x + place);
  triangle.exists = triangle.exists && isFinite(triangle.a) && isFinite(triangle.b) &&
                    isFinite(triangle.c);
  return triangle;
}

/** \brief The box around the triangles of a place of a cell. */
PCL_GPU_HOST_DEVICE PointBounds
boundsOf(const TensorMesh& mesh, const MeshCells& cells, int cell, int place)
{
  PointBounds bounds;
  const CellOrigin origin = cellOrigin(mesh, cells, cell);
  for (int i = 0; i < triangles_per_place; ++i) {
    const MeshTriangle triangle = cellTriangle(mesh, origin, place, i);
    if (!triangle.exists)
      continue;
    bounds.add({triangle.a, triangle.a});
    bounds.add({triangle.b, triangle.b});
    bounds.add({triangle.c, triangle.c});
  }
  return bounds;
}

/** \brief A triangle in a grid, in double precision. */
PCL_GPU_HOST_DEVICE GridTriangle<double>
exactTriangle(const MeshTriangle& triangle, const GridTransform& grid)
{
  return makeGridTriangle(grid.exact<double>(triangle.a),
                          grid.exact<double>(triangle.b),
                          grid.exact<double>(triangle.c));
}

/** \brief A triangle with coordinates that are counted from a voxel nearby. */
struct LocalTriangle {
  GridTriangle<float> triangle;
  GridRange<float> range; ///< counted from the same voxel

  PCL_GPU_HOST_DEVICE
  LocalTriangle(const MeshTriangle& whole,
                const GridTransform& grid,
                const GridRange<float>& all)
  {
    const GridPoint<float> near = grid(whole.a);
    const GridPoint<float> base = {
        roundDown(near.x), roundDown(near.y), roundDown(near.z)};
    const auto counted = [&grid, &base](const Vector3& p) {
      const GridPoint<double> q = grid.exact<double>(p);
      return GridPoint<float>{static_cast<float>(q.x - base.x),
                              static_cast<float>(q.y - base.y),
                              static_cast<float>(q.z - base.z)};
    };
    triangle = makeGridTriangle(counted(whole.a), counted(whole.b), counted(whole.c));
    range = countedFrom(all, base);
  }
};

/** \brief Adds the area of the triangles of a place to their voxel, if they clearly lie
 * in one and the same.
 * \return the triangles that may have to be cut: bit i for triangle i
 */
template <typename Add>
PCL_GPU_HOST_DEVICE int
addWithinVoxel(const TensorMesh& mesh,
               const CellOrigin& cell,
               int place,
               const GridTransform& grid,
               const GridRange<float>& range,
               const Add& add)
{
  if (mesh.triangles) {
    const MeshTriangle triangle = cellTriangle(mesh, cell, place, 0);
    if (!triangle.exists)
      return 0;
    const GridPoint<float> a = grid(triangle.a);
    const GridPoint<float> b = grid(triangle.b);
    const GridPoint<float> c = grid(triangle.c);
    const GridBox<float> box = {lowest(a, lowest(b, c)), highest(a, highest(b, c))};
    const int voxel = static_cast<int>(box.voxel(range, grid.middle));
    if (voxel >= 0)
      add(voxel, areaOf(a, b, c));
    return voxel == several_voxels ? 1 : 0;
  }
  const int x = cell.x + place % mesh_cell_columns;
  const int y = cell.y + place / mesh_cell_columns;
  if (x + 1 >= mesh.points.cols || y + 1 >= mesh.points.rows)
    return 0;
  const int bits = mesh.validity.ptr(y)[x];
  if (bits == 0)
    return 0;
  const auto corner = [&](int right, int down) {
    return vectorOf(mesh.points.ptr(y + down)[x + right]);
  };
  // The diagonal, and the corners above and below it.
  const bool right_cut = bits & right_cut_bit;
  const Vector3 a = corner(right_cut ? 0 : 1, 0), b = corner(right_cut ? 1 : 0, 1);
  const Vector3 above = corner(right_cut ? 1 : 0, 0);
  const Vector3 below = corner(right_cut ? 0 : 1, 1);
  const int triangles = existingTriangles(
      bits, isFinite(a) && isFinite(b), isFinite(above), isFinite(below));
  if (triangles == 0)
    return 0;
  const bool upper = triangles & 1, lower = triangles & 2;
  const GridPoint<float> grid_a = grid(a), grid_b = grid(b);
  const GridPoint<float> grid_above = grid(above);
  const GridPoint<float> grid_below = grid(below);
  const GridPoint<float>& third = upper ? grid_above : grid_below;
  const GridPoint<float>& fourth = lower ? grid_below : third;
  const GridBox<float> box = {lowest(lowest(grid_a, grid_b), lowest(third, fourth)),
                              highest(highest(grid_a, grid_b), highest(third, fourth))};
  const int voxel = static_cast<int>(box.voxel(range, grid.middle));
  if (voxel >= 0)
    add(voxel,
        (upper ? areaOf(grid_a, grid_b, grid_above) : 0.0f) +
            (lower ? areaOf(grid_a, grid_b, grid_below) : 0.0f));
  return voxel == several_voxels ? triangles : 0;
}

/** \brief Returns whether a box may reach a grid, by their extents along the grid's
 * axes. */
PCL_GPU_HOST_DEVICE bool
mayReach(const PointBounds& bounds, const GridTransform& grid)
{
  if (!(bounds.low.x <= bounds.high.x))
    return false;
  const Vector3 half = 0.5f * (bounds.high - bounds.low);
  // Differences from the origin first, as in GridTransform.
  const Vector3 from_origin =
      0.5f * ((bounds.low - grid.origin) + (bounds.high - grid.origin));
  const auto reaches = [&](const Vector3& axis) {
    const float extent =
        fabsf(axis.x) * half.x + fabsf(axis.y) * half.y + fabsf(axis.z) * half.z;
    // Rounding must not leave out a box that just reaches the grid.
    return fabsf(dot(axis, from_origin)) <= 1.0001f * (grid.middle + extent) + 1e-3f;
  };
  return reaches(grid.x) && reaches(grid.y) && reaches(grid.z);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "grid_clipping.hpp"
#include "tensor_driver.h"

#include <cmath>

// Triangles in cells of 32 quads (or 32 triangles), and cells in blocks of 64: what cannot
// reach a grid is left out by the block or by the cell.

namespace pcl::device {

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
  bool exists;
  Vector3 a, b, c;
};

/** \brief The box around triangles; low > high if there are none. */
struct TriangleBounds {
  Vector3 low, high;

  PCL_GPU_HOST_DEVICE void
  clear()
  {
    low = {INFINITY, INFINITY, INFINITY};
    high = {-INFINITY, -INFINITY, -INFINITY};
  }

  PCL_GPU_HOST_DEVICE void
  add(const TriangleBounds& other)
  {
    low = {fminf(low.x, other.low.x),
           fminf(low.y, other.low.y),
           fminf(low.z, other.low.z)};
    high = {fmaxf(high.x, other.high.x),
            fmaxf(high.y, other.high.y),
            fmaxf(high.z, other.high.z)};
  }
};

/** \brief How a mesh is divided into cells. */
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
  const auto up = [](int total, int part) { return (total + part - 1) / part; };
  if (mesh.triangles) {
    const int cells = up(mesh.triangle_count, mesh_cell_size);
    return {cells, 1, up(cells, mesh_block_size), 1};
  }
  // Two rows at least, as one row means that the mesh is not organized.
  const int columns = up(mesh.points.cols, mesh_cell_columns);
  const int rows = up(mesh.points.rows, mesh_cell_rows);
  return {columns,
          rows < 2 ? 2 : rows,
          up(columns, mesh_block_side),
          up(rows < 2 ? 2 : rows, mesh_block_side)};
}

/** \brief Triangle \a i of quad (x, y) of an organized mesh. */
PCL_GPU_HOST_DEVICE MeshTriangle
quadTriangle(const TensorMesh& mesh, int x, int y, int i)
{
  MeshTriangle triangle;
  triangle.exists = false;
  if (x + 1 >= mesh.points.cols || y + 1 >= mesh.points.rows)
    return triangle;
  // Bits of gpu::QuadValidity: upper and lower triangle, whole quad, cut to the right.
  const int bits = mesh.validity.ptr(y)[x];
  triangle.exists = bits & (i == 0 ? 5 : 6);
  if (!triangle.exists)
    return triangle;
  const bool right_cut = bits & 8;
  const auto corner = [&mesh, x, y](bool right, bool down) {
    const Float4 p = mesh.points.ptr(y + down)[x + right];
    return Vector3{p.x, p.y, p.z};
  };
  // The upper triangle has the quad's own point, the lower one that down and right.
  triangle.a = corner(i == 1 && !right_cut, false);
  triangle.b = corner(i == 0 && right_cut, true);
  triangle.c = corner(true, i == 1);
  return triangle;
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
    const Float4 p = mesh.points.data[vertex];
    return Vector3{p.x, p.y, p.z};
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

/** \brief Where a cell begins: at a quad, or at a triangle if the mesh is not organized. */
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
  else
    triangle.exists = false;
  triangle.exists = triangle.exists && isFinite(triangle.a) && isFinite(triangle.b) &&
                    isFinite(triangle.c);
  return triangle;
}

/** \brief The box around the triangles of a place of a cell. */
PCL_GPU_HOST_DEVICE TriangleBounds
boundsOf(const TensorMesh& mesh, const MeshCells& cells, int cell, int place)
{
  TriangleBounds bounds;
  bounds.clear();
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
  return makeGridTriangle(
      grid.exact(triangle.a), grid.exact(triangle.b), grid.exact(triangle.c));
}

/** \brief A triangle with coordinates that are counted from a voxel nearby. */
struct LocalTriangle {
  GridTriangle<float> triangle;
  GridRange range; ///< counted from the same voxel

  PCL_GPU_HOST_DEVICE
  LocalTriangle(const MeshTriangle& whole,
                const GridTransform& grid,
                const GridRange& all)
  {
    const Vector3 near = grid(whole.a);
    const Vector3 base = {floorf(near.x), floorf(near.y), floorf(near.z)};
    const auto counted = [&](const Vector3& p) {
      const GridPoint<double> q = grid.exact(p);
      return GridPoint<float>{static_cast<float>(q.x - base.x),
                              static_cast<float>(q.y - base.y),
                              static_cast<float>(q.z - base.z)};
    };
    triangle = makeGridTriangle(counted(whole.a), counted(whole.b), counted(whole.c));
    range = countedFrom(all, base);
  }
};

/** \brief Hands the area of the triangles of a place to their voxel, if they clearly lie in
 * one, both in the same.
 * \return which of them may have to be cut: bit i for triangle i
 */
template <typename Add>
PCL_GPU_HOST_DEVICE int
addWithinVoxel(const TensorMesh& mesh,
               const CellOrigin& cell,
               int place,
               const GridTransform& grid,
               const GridRange& range,
               const Add& add)
{
  if (mesh.triangles) {
    const MeshTriangle triangle = cellTriangle(mesh, cell, place, 0);
    if (!triangle.exists)
      return 0;
    const Vector3 a = grid(triangle.a), b = grid(triangle.b), c = grid(triangle.c);
    const int voxel = voxelOf(GridBox(a, b, c), range, grid.middle);
    if (voxel >= 0)
      add(voxel, roundedArea(a, b, c));
    return voxel == has_to_be_cut ? 1 : 0;
  }
  const int x = cell.x + place % mesh_cell_columns;
  const int y = cell.y + place / mesh_cell_columns;
  if (x + 1 >= mesh.points.cols || y + 1 >= mesh.points.rows)
    return 0;
  const int bits = mesh.validity.ptr(y)[x];
  if (bits == 0)
    return 0;
  const auto corner = [&](int right, int down) {
    const Float4 p = mesh.points.ptr(y + down)[x + right];
    return Vector3{p.x, p.y, p.z};
  };
  // The diagonal, and what lies above and below it.
  const bool right_cut = bits & 8;
  const Vector3 a = corner(right_cut ? 0 : 1, 0), b = corner(right_cut ? 1 : 0, 1);
  const Vector3 above = corner(right_cut ? 1 : 0, 0);
  const Vector3 below = corner(right_cut ? 0 : 1, 1);
  const bool has_diagonal = isFinite(a) && isFinite(b);
  const bool upper = (bits & 5) && has_diagonal && isFinite(above);
  const bool lower = (bits & 6) && has_diagonal && isFinite(below);
  if (!upper && !lower)
    return 0;
  const Vector3 grid_a = grid(a), grid_b = grid(b);
  const Vector3 grid_above = grid(above), grid_below = grid(below);
  GridBox box(grid_a, grid_b, upper ? grid_above : grid_below);
  if (lower)
    box.add(grid_below);
  const int voxel = voxelOf(box, range, grid.middle);
  if (voxel >= 0)
    add(voxel,
        (upper ? roundedArea(grid_a, grid_b, grid_above) : 0.0f) +
            (lower ? roundedArea(grid_a, grid_b, grid_below) : 0.0f));
  return voxel == has_to_be_cut ? (upper ? 1 : 0) | (lower ? 2 : 0) : 0;
}

/** \brief Whether a box may reach a grid: as seen along the grid's axes. */
PCL_GPU_HOST_DEVICE bool
mayReach(const TriangleBounds& bounds, const GridTransform& grid)
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
    // Rounding must not leave out what reaches the grid by a hair.
    return fabsf(dot(axis, from_origin)) <= 1.0001f * (grid.middle + extent) + 1e-3f;
  };
  return reaches(grid.x) && reaches(grid.y) && reaches(grid.z);
}

} // namespace pcl::device

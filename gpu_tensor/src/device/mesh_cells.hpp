// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "grid_clipping.hpp"
#include "tensor_driver.h"

#include <cmath>

// Triangles in cells of 32 quads (or 32 triangles), and cells in blocks of 64: what cannot
// reach a grid is left out by the block or by the cell.

namespace pcl {
namespace device {

/** \brief A cell of an organized mesh has 8 x 4 quads, a block 8 x 8 cells. */
constexpr int mesh_cell_columns = 8;
constexpr int mesh_cell_rows = 4;
constexpr int mesh_cell_size = mesh_cell_columns * mesh_cell_rows;
constexpr int mesh_block_side = 8;
constexpr int mesh_block_size = mesh_block_side * mesh_block_side;

/** \brief Up to two triangles of a mesh. */
struct CellTriangles {
  Vector3 corners[4];
  int count;
  int order[2][3]; ///< corners of the triangles
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

/** \brief The triangles of quad (x, y) of an organized mesh. */
PCL_GPU_HOST_DEVICE CellTriangles
quadTriangles(const TensorMesh& mesh, int x, int y)
{
  CellTriangles triangles;
  triangles.count = 0;
  if (x + 1 >= mesh.points.cols || y + 1 >= mesh.points.rows)
    return triangles;
  // Bits of gpu::QuadValidity: upper and lower triangle, whole quad, cut to the right.
  const int bits = mesh.validity.ptr(y)[x];
  const bool upper = bits & 5, lower = bits & 6, right_cut = bits & 8;
  if (!upper && !lower)
    return triangles;
  // Own, right, down, down-right.
  for (int i = 0; i < 4; ++i) {
    const Float4 p = mesh.points.ptr(y + i / 2)[x + i % 2];
    triangles.corners[i] = {p.x, p.y, p.z};
  }
  const auto add = [&triangles](int a, int b, int c) {
    int* const order = triangles.order[triangles.count++];
    order[0] = a;
    order[1] = b;
    order[2] = c;
  };
  if (upper)
    add(0, right_cut ? 3 : 2, 1);
  if (lower)
    add(right_cut ? 0 : 1, 2, 3);
  return triangles;
}

/** \brief Triangle \a number of a mesh that is not organized. */
PCL_GPU_HOST_DEVICE CellTriangles
indexedTriangle(const TensorMesh& mesh, int number)
{
  CellTriangles triangles;
  triangles.count = 0;
  if (number >= mesh.triangle_count)
    return triangles;
  float sum = 0.0f;
  for (int i = 0; i < 3; ++i) {
    const int vertex = mesh.triangles[3 * static_cast<std::size_t>(number) + i];
    if (vertex < 0 || vertex >= mesh.points.cols)
      return triangles;
    const Float4 p = mesh.points.data[vertex];
    triangles.corners[i] = {p.x, p.y, p.z};
    triangles.order[0][i] = i;
    sum += p.x + p.y + p.z;
  }
  triangles.count = sum - sum == 0.0f ? 1 : 0;
  return triangles;
}

/** \brief The triangles of place \a index of a cell. */
PCL_GPU_HOST_DEVICE CellTriangles
cellTriangles(const TensorMesh& mesh, const MeshCells& cells, int cell, int index)
{
  if (mesh.triangles)
    return indexedTriangle(mesh, cell * mesh_cell_size + index);
  return quadTriangles(
      mesh,
      cell % cells.columns * mesh_cell_columns + index % mesh_cell_columns,
      cell / cells.columns * mesh_cell_rows + index / mesh_cell_columns);
}

PCL_GPU_HOST_DEVICE TriangleBounds
boundsOf(const CellTriangles& triangles)
{
  TriangleBounds bounds;
  bounds.clear();
  for (int i = 0; i < triangles.count; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vector3 p = triangles.corners[triangles.order[i][j]];
      bounds.add({p, p});
    }
  return bounds;
}

/** \brief A corner of triangle \a i; without memory that is addressed by number. */
PCL_GPU_HOST_DEVICE Vector3
cornerOf(const CellTriangles& triangles, int i, int corner)
{
  const int number = triangles.order[i][corner];
  return number == 0   ? triangles.corners[0]
         : number == 1 ? triangles.corners[1]
         : number == 2 ? triangles.corners[2]
                       : triangles.corners[3];
}

/** \brief A triangle of a mesh. */
struct MeshTriangle {
  Vector3 a, b, c;
};

PCL_GPU_HOST_DEVICE MeshTriangle
triangleOf(const CellTriangles& triangles, int i)
{
  return {
      cornerOf(triangles, i, 0), cornerOf(triangles, i, 1), cornerOf(triangles, i, 2)};
}

/** \brief A triangle in a grid, in double precision. */
PCL_GPU_HOST_DEVICE GridTriangle<double>
exactTriangle(const MeshTriangle& triangle, const GridTransform& grid)
{
  return makeGridTriangle(
      grid.exact(triangle.a), grid.exact(triangle.b), grid.exact(triangle.c));
}

PCL_GPU_HOST_DEVICE GridTriangle<float>
roundedTriangle(const MeshTriangle& triangle, const GridTransform& grid)
{
  return makeGridTriangle(grid(triangle.a), grid(triangle.b), grid(triangle.c));
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

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensors/grid_clipping-inl.h"
#include "tensors/local_frame.hpp"
#include "tensors/mesh_cells-inl.h"
#include "tensors/tensor_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device::cuda {

/** \brief Finds the quads of an organized mesh that reach a grid and are connected with
 * a pair of points, for TensorTriangles::Connected: with a bit a quad, 8 x 4 to a word.
 *
 * For comparison with the paper, not for speed: every block looks at all cells.
 */
struct ConnectedQuads {
  const TensorTask& task;
  const MeshCells& cells;
  std::uint32_t* reaching; ///< a word for each cell: quads with any area in the grid
  std::uint32_t* grown;    ///< the same: those that are connected with the pair

  /** \brief All threads of the block must call. */
  __device__ void
  find(const GridTransform& grid, const PointBounds* bounds, const TensorFrame& frame)
  {
    const int warps = blockDim.x / warp_size, lane = threadIdx.x % warp_size;
    for (int cell = threadIdx.x / warp_size; cell < cells.cells(); cell += warps) {
      const bool reaches =
          mayReach(bounds[cell], grid) && quadReaches(cell, lane, grid);
      const std::uint32_t bits = __ballot_sync(all_lanes, reaches);
      if (lane == 0) {
        reaching[cell] = bits;
        grown[cell] = 0;
      }
    }
    __syncthreads();
    if (threadIdx.x == 0 && isFrame(frame)) {
      seed(frame.first);
      seed(frame.second);
    }
    bool grows = true;
    while (__syncthreads_or(grows)) {
      grows = false;
      for (int cell = threadIdx.x; cell < cells.cells(); cell += blockDim.x)
        grows = grow(cell) || grows;
    }
  }

  __device__ bool
  quadReaches(int cell, int place, const GridTransform& grid) const
  {
    const GridRange<float> range = gridRange(task.grid_size, 0, task.grid_size);
    bool reaches = false;
    for (int i = 0; i < triangles_per_place; ++i) {
      const MeshTriangle triangle =
          cellTriangle(task.mesh, cellOrigin(task.mesh, cells, cell), place, i);
      if (triangle.exists)
        addToGrid(exactTriangle(triangle, grid), range, [&reaches](int, double area) {
          reaches = reaches || areaUnits(area) > 0;
        });
    }
    return reaches;
  }

  /** \brief Starts from the quads around a point. */
  __device__ void
  seed(int point)
  {
    const int columns = task.mesh.points.cols;
    const int x = point % columns, y = point / columns;
    for (int v = max(y - 1, 0); v <= y; ++v)
      for (int u = max(x - 1, 0); u <= x; ++u) {
        const int cell = v / mesh_cell_rows * cells.columns + u / mesh_cell_columns;
        const int place =
            v % mesh_cell_rows * mesh_cell_columns + u % mesh_cell_columns;
        grown[cell] |= reaching[cell] & 1u << place;
      }
  }

  /** \brief Adds the neighbours, across edges and corners, of connected quads.
   * \return whether there were any
   */
  __device__ bool
  grow(int cell)
  {
    const std::uint32_t reached = reaching[cell], before = grown[cell];
    if (reached == before)
      return false;
    const int x = cell % cells.columns, y = cell / cells.columns * mesh_cell_rows;
    // The cell with the columns and rows around it: bits in rows that are two longer.
    constexpr int wide_columns = mesh_cell_columns + 2;
    std::uint64_t now = 0, reachable = 0;
    for (int row = -1; row <= mesh_cell_rows; ++row)
      now |= (grownRow(x - 1, y + row) >> (mesh_cell_columns - 1) |
              grownRow(x, y + row) << 1 |
              (grownRow(x + 1, y + row) & 1u) << (mesh_cell_columns + 1))
             << (row + 1) * wide_columns;
    for (int row = 0; row < mesh_cell_rows; ++row)
      reachable |= rowOf(reached, row) << ((row + 1) * wide_columns + 1);
    std::uint64_t former;
    do {
      former = now;
      const std::uint64_t wide = now | now << 1 | now >> 1;
      now |= (wide | wide << wide_columns | wide >> wide_columns) & reachable;
    }
    while (now != former);
    std::uint32_t inside = 0;
    for (int row = 0; row < mesh_cell_rows; ++row)
      inside |=
          static_cast<std::uint32_t>(rowOf(now >> ((row + 1) * wide_columns + 1), 0))
          << row * mesh_cell_columns;
    grown[cell] = inside;
    return inside != before;
  }

  /** \brief The connected quads of a cell's column in a row of quads; 0 beyond the
   * edge. */
  __device__ std::uint64_t
  grownRow(int x, int y) const
  {
    const bool exists =
        x >= 0 && x < cells.columns && y >= 0 && y < cells.rows * mesh_cell_rows;
    // Other threads may add to it. A bit that is missed here is seen in the next round.
    const volatile std::uint32_t* const others = grown;
    return exists ? rowOf(others[y / mesh_cell_rows * cells.columns + x],
                          y % mesh_cell_rows)
                  : 0;
  }

  __device__ static std::uint64_t
  rowOf(std::uint64_t quads, int row)
  {
    return quads >> row * mesh_cell_columns & ((1u << mesh_cell_columns) - 1);
  }
};

} // namespace pcl::device::cuda

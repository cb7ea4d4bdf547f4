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
  find(const GridTransform& grid,
       const TriangleBounds* bounds,
       const TensorFrame& frame)
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
    const std::uint32_t reached = reaching[cell];
    const std::uint32_t before = grown[cell];
    if (reached == before)
      return false;
    const int x = cell % cells.columns, y = cell / cells.columns;
    // The columns beside the cell, and its rows with those above and below.
    const std::uint64_t left = column(x - 1, y, mesh_cell_columns - 1);
    const std::uint64_t right = column(x + 1, y, 0);
    std::uint32_t now = before, former;
    constexpr int last_row = (mesh_cell_rows - 1) * mesh_cell_columns;
    const std::uint32_t outside = aroundFrom(left, right) |
                                  widened(grownAt(x, y - 1) >> last_row) |
                                  widened(grownAt(x, y + 1) & 0xffu) << last_row;
    now |= outside & reached;
    do {
      former = now;
      const std::uint32_t wide =
          now | (now & 0x7f7f7f7fu) << 1 | (now & 0xfefefefeu) >> 1;
      now |= (wide | wide << mesh_cell_columns | wide >> mesh_cell_columns) & reached;
    }
    while (now != former);
    grown[cell] = now;
    return now != before;
  }

  __device__ std::uint32_t
  grownAt(int x, int y) const
  {
    const bool exists = x >= 0 && x < cells.columns && y >= 0 && y < cells.rows;
    // Other threads may add to it. A bit that is missed here is seen in the next round.
    const volatile std::uint32_t* const others = grown;
    return exists ? others[y * cells.columns + x] : 0;
  }

  /** \brief One column of a cell, of the rows from the one above to the one below
   * it. */
  __device__ std::uint32_t
  column(int x, int y, int number) const
  {
    const auto bit = [number](std::uint32_t bits, int row) {
      return bits >> (row * mesh_cell_columns + number) & 1u;
    };
    std::uint32_t rows = bit(grownAt(x, y - 1), mesh_cell_rows - 1);
    const std::uint32_t beside = grownAt(x, y);
    for (int row = 0; row < mesh_cell_rows; ++row)
      rows |= bit(beside, row) << (row + 1);
    return rows | bit(grownAt(x, y + 1), 0) << (mesh_cell_rows + 1);
  }

  /** \brief The quads beside columns to the left and right of a cell. */
  __device__ static std::uint32_t
  aroundFrom(std::uint32_t left, std::uint32_t right)
  {
    std::uint32_t quads = 0;
    for (int row = 0; row < mesh_cell_rows; ++row) {
      if (left >> row & 7u)
        quads |= 1u << (row * mesh_cell_columns);
      if (right >> row & 7u)
        quads |= 1u << (row * mesh_cell_columns + mesh_cell_columns - 1);
    }
    return quads;
  }

  __device__ static std::uint32_t
  widened(std::uint32_t row)
  {
    return (row | row << 1 | row >> 1) & 0xffu;
  }
};

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "grid_clipping.hpp"
#include "mesh_cells.hpp"
#include "tensor_driver.h"
#include "tensor_entries.hpp"

#include <pcl/gpu/utils/device/cuda_block.cuh>

// The areas of a mesh in the voxels of a grid, summed by a block.

namespace pcl {
namespace device {
namespace cuda {

static_assert(mesh_cell_size == warp_size, "a lane has a place of its cell");

/** \brief Cells that wait for their triangles to be looked at. */
constexpr int cell_list_size = 512;
/** \brief Triangles of a warp that wait to be cut, and parts of them. */
constexpr int triangle_queue_size = 2 * warp_size;
constexpr int part_queue_size = 3 * warp_size;
/** \brief The boxes around the cells of a mesh and their blocks. */
struct MeshBounds {
  const TriangleBounds* cells;
  const TriangleBounds* blocks;
};

/** \brief What of a warp's triangles waits to be cut; both are stacks. */
struct CutQueue {
  unsigned int triangles[triangle_queue_size]; ///< cell and place
  float parts[10][part_queue_size];            ///< number by number

  __device__ void
  putPart(int i, const GridTriangle<float>& part)
  {
    const float values[10] = {part.a.x,
                              part.a.y,
                              part.a.z,
                              part.b.x,
                              part.b.y,
                              part.b.z,
                              part.c.x,
                              part.c.y,
                              part.c.z,
                              part.area};
#pragma unroll
    for (int j = 0; j < 10; ++j)
      parts[j][i] = values[j];
  }

  __device__ GridTriangle<float>
  part(int i) const
  {
    return {{parts[0][i], parts[1][i], parts[2][i]},
            {parts[3][i], parts[4][i], parts[5][i]},
            {parts[6][i], parts[7][i], parts[8][i]},
            parts[9][i]};
  }
};

/** \brief What a block shares while it computes a tensor. */
template <int Warps>
struct Shared {
  GridTransform grid;
  unsigned int warp_counts[Warps];
  int block_count;
  int blocks[Warps * warp_size]; ///< blocks of cells that may reach the grid
  int cell_count;
  int cells[cell_list_size]; ///< cells that may reach the grid
  CutQueue queues[Warps];
};

/** \brief Sums of areas in shared memory: 64 bits in two halves. */
struct VoxelSums {
  unsigned int* low;
  unsigned int* high;
  int first; ///< number of the first voxel
  int count;

  __device__ void
  clear() const
  {
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
      low[i] = 0;
      high[i] = 0;
    }
  }

  __device__ void
  add(int voxel, double area) const
  {
    const unsigned int units = areaUnits(area);
    const unsigned int former = atomicAdd(low + voxel - first, units);
    if (former + units < former)
      atomicAdd(high + voxel - first, 1u);
  }

  __device__ float
  area(int i) const
  {
    return areaOfUnits(static_cast<unsigned long long>(high[i]) << 32 | low[i]);
  }
};

/** \brief Adds the triangles that reach a grid to its voxels. */
template <int Warps>
class TriangleSum {
  static constexpr int threads = Warps * warp_size;
  static_assert(threads % mesh_block_size == 0, "threads test whole blocks");

public:
  __device__
  TriangleSum(const TensorTask& task,
              const MeshCells& cells,
              const MeshBounds& bounds,
              Shared<Warps>& shared,
              const GridRange& range,
              const VoxelSums& sums,
              const std::uint32_t* only_quads)
  : task_(task)
  , cells_(cells)
  , bounds_(bounds)
  , shared_(shared)
  , range_(range)
  , sums_(sums)
  , only_quads_(only_quads)
  {}

  /** \brief All threads of the block must call. */
  __device__ void
  addAll()
  {
    sums_.clear();
    if (threadIdx.x == 0)
      shared_.cell_count = 0;
    const int blocks = cells_.blocks();
    for (int first = 0; first < blocks; first += threads) {
      if (threadIdx.x == 0)
        shared_.block_count = 0;
      __syncthreads();
      const int block = first + threadIdx.x;
      if (block < blocks && mayReach(bounds_.blocks[block], shared_.grid))
        shared_.blocks[atomicAdd(&shared_.block_count, 1)] = block;
      __syncthreads();
      listCells();
    }
    addListed();
  }

private:
  /** \brief Lists the cells of the listed blocks; adds them whenever the list is full. */
  __device__ void
  listCells()
  {
    constexpr int blocks_at_once = threads / mesh_block_size;
    for (int first = 0; first < shared_.block_count; first += blocks_at_once) {
      const int place = first + threadIdx.x / mesh_block_size;
      int cell = -1;
      if (place < shared_.block_count)
        cell = cells_.cellOfBlock(shared_.blocks[place], threadIdx.x % mesh_block_size);
      if (cell >= 0 && mayReach(bounds_.cells[cell], shared_.grid))
        shared_.cells[atomicAdd(&shared_.cell_count, 1)] = cell;
      // All threads have read the number before any adds to it again.
      if (__syncthreads_or(shared_.cell_count > cell_list_size - threads))
        addListed();
    }
  }

  /** \brief Adds the triangles of the listed cells; a warp has a cell at a time. */
  __device__ void
  addListed()
  {
    const int warp = threadIdx.x / warp_size;
    CutQueue& queue = shared_.queues[warp];
    __syncthreads();
    waiting_triangles_ = 0;
    waiting_parts_ = 0;
    for (int i = warp; i < shared_.cell_count; i += Warps)
      addCell(shared_.cells[i], queue);
    if (waiting_triangles_ > 0)
      cutTriangles(queue);
    while (waiting_parts_ > 0)
      cutParts(queue);
    __syncthreads();
    if (threadIdx.x == 0)
      shared_.cell_count = 0;
    __syncthreads();
  }

  /** \brief Adds what at most one plane cuts; all else waits. */
  __device__ void
  addCell(int cell, CutQueue& queue)
  {
    const int lane = threadIdx.x % warp_size;
    const auto add = [this](int voxel, float area) { sums_.add(voxel, area); };
    CellTriangles triangles = cellTriangles(task_.mesh, cells_, cell, lane);
    if (only_quads_ && !(only_quads_[cell] >> lane & 1))
      triangles.count = 0;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      bool is_cut = false, is_hardly_cut = false;
      GridTriangle<float> triangle;
      if (i < triangles.count) {
        triangle = roundedTriangle(triangleOf(triangles, i), shared_.grid);
        const GridCuts<float> cuts(triangle, range_);
        is_hardly_cut = cuts.hardly;
        is_cut = !is_hardly_cut && !addUncut(triangle, cuts, range_, add);
      }
      putParts(is_cut, triangle, queue);
      while (waiting_parts_ >= warp_size)
        cutParts(queue);
      const unsigned int lanes = __ballot_sync(all_lanes, is_hardly_cut);
      if (is_hardly_cut)
        queue.triangles[waiting_triangles_ + __popc(lanes & ((1u << lane) - 1))] =
            static_cast<unsigned int>(cell) * (2 * mesh_cell_size) + 2 * lane + i;
      waiting_triangles_ += __popc(lanes);
      __syncwarp();
      if (waiting_triangles_ >= warp_size)
        cutTriangles(queue);
    }
  }

  /** \brief Puts a lane's part onto the queue, where there must be room. */
  __device__ void
  putParts(bool puts, const GridTriangle<float>& part, CutQueue& queue)
  {
    const unsigned int lanes = __ballot_sync(all_lanes, puts);
    const int lane = threadIdx.x % warp_size;
    if (puts)
      queue.putPart(waiting_parts_ + __popc(lanes & ((1u << lane) - 1)), part);
    waiting_parts_ += __popc(lanes);
    __syncwarp();
  }

  /** \brief Cuts the triangles at the end of the queue, one a lane, in double precision. */
  __device__ void
  cutTriangles(CutQueue& queue)
  {
    const int lane = threadIdx.x % warp_size;
    const int count = min(waiting_triangles_, warp_size);
    waiting_triangles_ -= count;
    if (lane < count) {
      const unsigned int entry = queue.triangles[waiting_triangles_ + lane];
      const int place = entry % (2 * mesh_cell_size);
      const CellTriangles triangles =
          cellTriangles(task_.mesh, cells_, entry / (2 * mesh_cell_size), place / 2);
      addToGrid(exactTriangle(triangleOf(triangles, place % 2), shared_.grid),
                range_,
                [this](int voxel, double area) { sums_.add(voxel, area); });
    }
    __syncwarp();
  }

  /** \brief Cuts the parts at the end of the queue, one a lane, until nothing is left of
   * them but what waits in the queue. */
  __device__ void
  cutParts(CutQueue& queue)
  {
    const int lane = threadIdx.x % warp_size;
    const int count = min(waiting_parts_, warp_size);
    waiting_parts_ -= count;
    const auto add = [this](int voxel, float area) { sums_.add(voxel, area); };
    GridTriangle<float> part;
    bool exists = lane < count;
    if (exists)
      part = queue.part(waiting_parts_ + lane);
    __syncwarp();
    for (;;) {
      GridTriangle<float> rest[2];
      if (exists) {
        const GridCuts<float> cuts(part, range_);
        exists = !addUncut(part, cuts, range_, add);
        if (exists)
          cutTriangle(cuts, part, rest);
      }
      const int lanes = __popc(__ballot_sync(all_lanes, exists));
      if (lanes == 0)
        return;
      if (waiting_parts_ + 2 * lanes > part_queue_size) {
        // Triangles far larger than voxels.
        if (exists)
          for (const GridTriangle<float>& other : {part, rest[0], rest[1]})
            addToGrid(other, range_, add);
        __syncwarp();
        return;
      }
      putParts(exists, rest[0], queue);
      putParts(exists, rest[1], queue);
    }
  }

  const TensorTask& task_;
  const MeshCells& cells_;
  MeshBounds bounds_;
  Shared<Warps>& shared_;
  GridRange range_;
  VoxelSums sums_;
  const std::uint32_t* only_quads_; // a bit a quad, for each cell; null for all
  int waiting_triangles_ = 0;       // in the warp's queue
  int waiting_parts_ = 0;
};

} // namespace cuda
} // namespace device
} // namespace pcl

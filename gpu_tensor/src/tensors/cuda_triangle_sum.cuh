// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensors/grid_clipping-inl.h"
#include "tensors/mesh_cells-inl.h"
#include "tensors/tensor_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

// The areas of a mesh in the voxels of a grid, summed by a block.

namespace pcl::device::cuda {

static_assert(mesh_cell_size == warp_size, "a lane has a place of its cell");

constexpr int sum_warps = 8;
constexpr int sum_threads = sum_warps * warp_size;

/** \brief Blocks of cells that are tested at a time, and cells of them. */
constexpr int block_list_size = 256;
constexpr int cell_list_size = 1024;
/** \brief Triangles that wait for a warp to cut them: room for those of a cell, and
 * those that waited before. */
constexpr int cut_queue_size = (triangles_per_place + 1) * warp_size;
/** \brief Triangles of a kind that wait for the whole block: room for all that the
 * warps may add before they see that there are enough. */
constexpr int enough_waiting = 512;
constexpr int waiting_list_size = enough_waiting + sum_warps * cut_queue_size;

/** \brief Triangles that all threads of a block add. The number of each is made of its
 * cell, its place and its number there. */
struct WaitingTriangles {
  int count;
  unsigned int numbers[waiting_list_size];
};

/** \brief The voxels that a block sums areas in. */
struct SummedVoxels {
  GridRange<float> range;
  int room;  ///< voxels that there is memory for
  int first; ///< number of the first voxel
  int count;
};

/** \brief Shared memory of a block that computes a tensor; its sums come behind it. */
struct Shared {
  GridTransform grid;
  SummedVoxels voxels;
  unsigned int warp_counts[sum_warps];
  int block_count;
  int cell_count;
  int next_cell;
  bool is_last;
  int blocks[block_list_size]; ///< blocks of cells that may reach the grid
  int cells[cell_list_size];   ///< cells that may reach the grid
  unsigned int cut[sum_warps][cut_queue_size]; ///< triangles that have to be cut
  WaitingTriangles cut_twice;                  ///< those of them that two planes cut
  WaitingTriangles cut_often;                  ///< those that more planes cut
  WaitingTriangles flat;                       ///< those that lie nearly along a plane
};

/** \brief Returns the block's shared memory. The compiler does not know that a
 * reference argument is shared memory, which makes it slower. */
__device__ __forceinline__ Shared&
shared()
{
  extern __shared__ double shared_memory[];
  return *reinterpret_cast<Shared*>(shared_memory);
}

/** \brief Sums of areas in shared memory: 64 bits in two halves. */
struct VoxelSums : SummedVoxels {
  __device__ __forceinline__ static unsigned int*
  low()
  {
    return reinterpret_cast<unsigned int*>(&shared() + 1);
  }

  __device__ __forceinline__ unsigned int*
  high() const
  {
    return low() + room;
  }

  __device__ __forceinline__ void
  clear() const
  {
    for (int i = threadIdx.x; i < count; i += sum_threads) {
      low()[i] = 0;
      high()[i] = 0;
    }
  }

  /** \brief Adds an area to its voxel. */
  template <typename Real>
  __device__ __forceinline__ void
  operator()(int voxel, Real area) const
  {
    const unsigned int units = areaUnits(area);
    const unsigned int former = atomicAdd(low() + voxel - first, units);
    if (former + units < former)
      atomicAdd(high() + voxel - first, 1u);
  }

  __device__ __forceinline__ unsigned long long
  units(int i) const
  {
    return static_cast<unsigned long long>(high()[i]) << 32 | low()[i];
  }

  __device__ __forceinline__ void
  set(int i, unsigned long long units) const
  {
    low()[i] = static_cast<unsigned int>(units);
    high()[i] = static_cast<unsigned int>(units >> 32);
  }
};

__device__ __forceinline__ MeshTriangle
triangleOf(const TensorMesh& mesh, const MeshCells& cells, unsigned int number)
{
  const unsigned int place = number / triangles_per_place;
  return cellTriangle(mesh,
                      cellOrigin(mesh, cells, place / mesh_cell_size),
                      place % mesh_cell_size,
                      number % triangles_per_place);
}

/** \brief A triangle of the mesh in the block's grid. */
__device__ __forceinline__ LocalTriangle
localTriangleOf(const TensorMesh& mesh, const MeshCells& cells, unsigned int number)
{
  return {triangleOf(mesh, cells, number), shared().grid, shared().voxels.range};
}

/** \brief Adds the triangles that reach a grid, or a part of them, to its voxels.
 *
 * Each warp alternates between cells and the triangles that have to be cut.
 */
struct TriangleSum {
  const TensorMesh& mesh;
  const MeshCells& cells;
  const PointBounds* cell_bounds;
  const PointBounds* block_bounds;
  int part;
  int parts; ///< a power of two, at most mesh_block_size
  VoxelSums sums;
  const std::uint32_t* only_quads; ///< a bit a quad, for each cell; null for all

  /** \brief All threads of the block must call. */
  __device__ __forceinline__ void
  addAll() const
  {
    sums.clear();
    const int blocks = cells.blocks();
    const int blocks_at_once = cell_list_size / (mesh_block_size / parts);
    for (int first = 0; first < blocks; first += block_list_size) {
      __syncthreads();
      if (threadIdx.x == 0)
        shared().block_count = 0;
      __syncthreads();
      const int end = min(blocks, first + block_list_size);
      for (int block = first + threadIdx.x; block < end; block += sum_threads)
        if (mayReach(block_bounds[block], shared().grid))
          shared().blocks[atomicAdd(&shared().block_count, 1)] = block;
      __syncthreads();
      for (int i = 0; i < shared().block_count; i += blocks_at_once) {
        listCells(i, min(shared().block_count, i + blocks_at_once));
        addCells();
      }
    }
    __syncthreads();
  }

  /** \brief Lists the part's cells of some of the listed blocks. */
  __device__ __forceinline__ void
  listCells(int begin, int end) const
  {
    if (threadIdx.x == 0) {
      shared().cell_count = 0;
      shared().next_cell = 0;
    }
    __syncthreads();
    const int cells_of_part = mesh_block_size / parts;
    for (int i = threadIdx.x; i < (end - begin) * cells_of_part; i += sum_threads) {
      // Each part has a cell of every few, on other columns from row to row.
      const int row = i % cells_of_part;
      const int cell = cells.cellOfBlock(shared().blocks[begin + i / cells_of_part],
                                         row * parts + (part + 3 * row) % parts);
      if (cell >= 0 && mayReach(cell_bounds[cell], shared().grid))
        shared().cells[atomicAdd(&shared().cell_count, 1)] = cell;
    }
  }

  /** \brief Adds the triangles of the listed cells; a warp has a cell at a time. It
   * adds triangles that lie within a voxel at once, and queues all others. */
  __device__ __forceinline__ void
  addCells() const
  {
    const int lane = threadIdx.x % warp_size;
    for (bool any_left = true; any_left;) {
      if (threadIdx.x == 0) {
        shared().cut_twice.count = 0;
        shared().cut_often.count = 0;
        shared().flat.count = 0;
      }
      __syncthreads();
      int waiting = 0; // triangles in the warp's queue
      for (bool cells_left = true; cells_left || waiting > 0;) {
        if (!cells_left || waiting >= warp_size) {
          addCut(waiting);
          continue;
        }
        const int i = nextCell();
        cells_left = i < shared().cell_count;
        if (!cells_left)
          continue;
        const int cell = shared().cells[i];
        int cut = 0;
        if (!only_quads || (only_quads[cell] >> lane & 1))
          cut = addWithinVoxel(mesh,
                               cellOrigin(mesh, cells, cell),
                               lane,
                               shared().grid,
                               sums.range,
                               sums);
        queueCut(cell, cut, waiting);
      }
      __syncthreads();
      // Each begins with another warp, so that short lists are processed at the same
      // time.
      addWaiting(shared().cut_twice, 0, [this](unsigned int number) {
        const LocalTriangle local = localTriangleOf(mesh, cells, number);
        addCutTwice(local.triangle,
                    GridCuts<float>(local.triangle, local.range),
                    local.range,
                    VoxelSums{shared().voxels});
      });
      addWaiting(shared().cut_often, 2, [this](unsigned int number) {
        const LocalTriangle local = localTriangleOf(mesh, cells, number);
        addToGrid(local.triangle, local.range, VoxelSums{shared().voxels});
      });
      addWaiting(shared().flat, 3, [this](unsigned int number) {
        addToGrid(exactTriangle(triangleOf(mesh, cells, number), shared().grid),
                  shared().voxels.range,
                  VoxelSums{shared().voxels});
      });
      any_left = shared().next_cell < shared().cell_count;
      __syncthreads();
    }
  }

  /** \brief Takes a cell off the list.
   * \return its place in the list; beyond the end if there is none, or enough triangles
   * wait
   */
  __device__ __forceinline__ static int
  nextCell()
  {
    int next = cell_list_size;
    const int waiting = max(shared().cut_twice.count,
                            max(shared().cut_often.count, shared().flat.count));
    if (threadIdx.x % warp_size == 0 && waiting <= enough_waiting)
      next = atomicAdd(&shared().next_cell, 1);
    return __shfl_sync(all_lanes, next, 0);
  }

  /** \brief Puts triangles of a cell's places into the warp's queue. All lanes must
   * call.
   * \param[in] cut bit i for triangle i of the lane's place
   * \param[in,out] count triangles in the queue
   */
  __device__ __forceinline__ static void
  queueCut(int cell, int cut, int& count)
  {
    const int lane = threadIdx.x % warp_size;
    const unsigned int number =
        (static_cast<unsigned int>(cell) * mesh_cell_size + lane) * triangles_per_place;
    unsigned int* const queue = shared().cut[threadIdx.x / warp_size];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < triangles_per_place; ++i) {
      const bool puts = cut >> i & 1;
      const unsigned int lanes = __ballot_sync(all_lanes, puts);
      if (puts)
        queue[count + lanesBefore(lanes, lane)] = number + i;
      count += __popc(lanes);
    }
    __syncwarp();
  }

  /** \brief Adds waiting triangles that one plane cuts, one a lane. Queues the others
   * elsewhere, so that all lanes do the same work. */
  __device__ __forceinline__ void
  addCut(int& count) const
  {
    const int lane = threadIdx.x % warp_size;
    const int taken = min(count, warp_size);
    count -= taken;
    if (lane < taken) {
      const unsigned int number = shared().cut[threadIdx.x / warp_size][count + lane];
      const LocalTriangle local(
          triangleOf(mesh, cells, number), shared().grid, sums.range);
      const GridCuts<float> cuts(local.triangle, local.range);
      if (cuts.is_flat)
        addLater(shared().flat, number);
      else if (!addUncut(local.triangle, cuts, local.range, sums)) {
        if (cuts.planes == 2.0f)
          addLater(shared().cut_twice, number);
        else
          addLater(shared().cut_often, number);
      }
    }
    __syncwarp();
  }

  /** \brief Queues a triangle for all threads of the block. */
  __device__ __forceinline__ static void
  addLater(WaitingTriangles& list, unsigned int number)
  {
    list.numbers[atomicAdd(&list.count, 1)] = number;
  }

  /** \brief Adds the triangles of a list, one a thread, from the first one of a warp
   * on.
   * \param[in] addition is called with the number of each
   */
  template <typename Addition>
  __device__ __forceinline__ static void
  addWaiting(const WaitingTriangles& list, int first_warp, const Addition& addition)
  {
    const int count = list.count;
    const int first_thread = first_warp * warp_size;
    for (int i = (threadIdx.x + sum_threads - first_thread) % sum_threads; i < count;
         i += sum_threads)
      addition(list.numbers[i]);
  }
};

} // namespace pcl::device::cuda

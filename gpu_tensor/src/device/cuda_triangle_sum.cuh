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

/** \brief The boxes around the cells of a mesh and their blocks. */
struct MeshBounds {
  const TriangleBounds* cells;
  const TriangleBounds* blocks;
};

/** \brief What a block shares while it computes a tensor. */
template <int Warps>
struct Shared {
  static constexpr int threads = Warps * warp_size;
  /** \brief Room for what a round of cells leaves, and what was there. */
  static constexpr int queue_size = (triangles_per_place + 1) * threads;

  GridTransform grid;
  unsigned int warp_counts[Warps];
  int block_count;
  int blocks[threads]; ///< blocks of cells that may reach the grid
  int cell_count;
  int cells[cell_list_size]; ///< cells that may reach the grid
  /** \brief Triangles to be cut, by cell, place and number. */
  int cut_count;
  unsigned int cut[queue_size];
  /** \brief Those of them that two planes cut, and more. */
  int twice_count;
  unsigned int cut_twice[queue_size];
  int often_count;
  unsigned int cut_often[queue_size];
  /** \brief Those that lie nearly along a plane. */
  int flat_count;
  unsigned int flat[queue_size];
};

/** \brief Puts numbers of some lanes of a warp into a list. All lanes must call.
 * \param[in,out] count in shared memory
 */
__device__ inline void
append(unsigned int* list, int* count, bool puts, unsigned int number)
{
  const int lane = threadIdx.x % warp_size;
  const unsigned int lanes = __ballot_sync(all_lanes, puts);
  if (lanes == 0)
    return;
  const int leader = __ffs(lanes) - 1;
  int first = 0;
  if (lane == leader)
    first = atomicAdd(count, __popc(lanes));
  first = __shfl_sync(all_lanes, first, leader);
  if (puts)
    list[first + __popc(lanes & ((1u << lane) - 1))] = number;
}

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

  template <typename Real>
  __device__ void
  add(int voxel, Real area) const
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
    if (threadIdx.x == 0) {
      shared_.cut_count = 0;
      shared_.twice_count = 0;
      shared_.often_count = 0;
      shared_.flat_count = 0;
    }
    __syncthreads();
    for (int first = 0; first < shared_.cell_count; first += Warps) {
      const int i = first + threadIdx.x / warp_size;
      if (i < shared_.cell_count)
        addCell(shared_.cells[i]);
      while (__syncthreads_or(shared_.cut_count >= threads))
        addCut();
    }
    while (__syncthreads_or(shared_.cut_count > 0))
      addCut();
    while (__syncthreads_or(shared_.twice_count > 0))
      addTwice();
    while (__syncthreads_or(shared_.often_count > 0))
      addOften();
    while (__syncthreads_or(shared_.flat_count > 0))
      addFlat();
    if (threadIdx.x == 0)
      shared_.cell_count = 0;
    __syncthreads();
  }

  /** \brief Adds what lies within a voxel; all else waits. */
  __device__ void
  addCell(int cell)
  {
    const int lane = threadIdx.x % warp_size;
    const bool wanted = !only_quads_ || (only_quads_[cell] >> lane & 1);
    int cut = 0;
    if (wanted)
      cut = addWithinVoxel(task_.mesh,
                           cellOrigin(task_.mesh, cells_, cell),
                           lane,
                           shared_.grid,
                           range_,
                           adder());
    if (!__any_sync(all_lanes, cut != 0))
      return;
    for (int i = 0; i < triangles_per_place; ++i)
      append(shared_.cut,
             &shared_.cut_count,
             cut >> i & 1,
             (static_cast<unsigned int>(cell) * mesh_cell_size + lane) *
                     triangles_per_place +
                 i);
  }

  /** \brief Takes a triangle off a list, one a thread. All threads must call.
   * \return whether there was one
   */
  __device__ bool
  take(const unsigned int* list, int* count, unsigned int& number)
  {
    __syncthreads();
    const int waiting = *count;
    const int taken = min(waiting, threads);
    const bool exists = static_cast<int>(threadIdx.x) < taken;
    if (exists)
      number = list[waiting - taken + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      *count = waiting - taken;
    __syncthreads();
    return exists;
  }

  __device__ MeshTriangle
  triangleOf(unsigned int number) const
  {
    const unsigned int place = number / triangles_per_place;
    return cellTriangle(task_.mesh,
                        cellOrigin(task_.mesh, cells_, place / mesh_cell_size),
                        place % mesh_cell_size,
                        number % triangles_per_place);
  }

  __device__ LocalTriangle
  localTriangleOf(unsigned int number) const
  {
    return {triangleOf(number), shared_.grid, range_};
  }

  /** \brief Adds waiting triangles that one plane cuts; passes on the others. */
  __device__ void
  addCut()
  {
    unsigned int number = 0;
    const bool exists = take(shared_.cut, &shared_.cut_count, number);
    int cuts = 0;
    bool is_flat = false;
    if (exists) {
      const LocalTriangle local = localTriangleOf(number);
      const GridCuts<float> found(local.triangle, local.range);
      is_flat = found.is_flat;
      if (!is_flat && !addUncut(local.triangle, found, local.range, adder()))
        cuts = found.count;
    }
    append(shared_.cut_twice, &shared_.twice_count, cuts == 2, number);
    append(shared_.cut_often, &shared_.often_count, cuts > 2, number);
    append(shared_.flat, &shared_.flat_count, is_flat, number);
    // A round leaves no more than there are threads: room is made for that.
    while (__syncthreads_or(shared_.twice_count >= threads))
      addTwice();
    while (__syncthreads_or(shared_.often_count >= threads))
      addOften();
    while (__syncthreads_or(shared_.flat_count >= threads))
      addFlat();
  }

  __device__ void
  addTwice()
  {
    unsigned int number = 0;
    if (take(shared_.cut_twice, &shared_.twice_count, number)) {
      const LocalTriangle local = localTriangleOf(number);
      addCutTwice(local.triangle,
                  GridCuts<float>(local.triangle, local.range),
                  local.range,
                  adder());
    }
  }

  __device__ void
  addOften()
  {
    unsigned int number = 0;
    if (take(shared_.cut_often, &shared_.often_count, number)) {
      const LocalTriangle local = localTriangleOf(number);
      addToGridApart(local.triangle, local.range, sums_);
    }
  }

  __device__ void
  addFlat()
  {
    unsigned int number = 0;
    if (take(shared_.flat, &shared_.flat_count, number))
      addToGridApart(exactTriangle(triangleOf(number), shared_.grid), range_, sums_);
  }

  /** \brief Rare, and in need of memory for its stack: kept apart from all else. */
  template <typename Real>
  __device__ __noinline__ static void
  addToGridApart(GridTriangle<Real> triangle, GridRange range, VoxelSums sums)
  {
    addToGrid(
        triangle, range, [&sums](int voxel, Real area) { sums.add(voxel, area); });
  }

  struct Adder {
    const VoxelSums& sums;

    template <typename Real>
    __device__ void
    operator()(int voxel, Real area) const
    {
      sums.add(voxel, area);
    }
  };

  __device__ Adder
  adder() const
  {
    return {sums_};
  }

  const TensorTask& task_;
  const MeshCells& cells_;
  MeshBounds bounds_;
  Shared<Warps>& shared_;
  GridRange range_;
  VoxelSums sums_;
  const std::uint32_t* only_quads_; // a bit a quad, for each cell; null for all
};

} // namespace cuda
} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tensor.h"
#include "grid_clipping.hpp"
#include "local_frame.hpp"
#include "mesh_cells.hpp"
#include "point_pairs.hpp"
#include "tensor_entries.hpp"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>
#include <pcl/gpu/utils/device/scratch_pieces.hpp>

namespace pcl {
namespace device {
namespace cuda {

namespace {

static_assert(mesh_cell_size == warp_size, "a lane has a place of its cell");

constexpr int bounds_warps = 8;
constexpr int tensor_warps = 4;
constexpr int tensor_threads = tensor_warps * warp_size;
static_assert(tensor_threads % mesh_block_size == 0, "threads test whole blocks");

/** \brief Cells that wait for their triangles to be looked at. */
constexpr int cell_list_size = 512;
/** \brief Triangles of a warp that wait to be cut by several planes. */
constexpr int queue_size = 3 * warp_size;
/** \brief Voxels that a block sums at a time; larger grids are done in layers. */
constexpr int max_voxels_at_once = 4096;

struct Scratch {
  TriangleBounds* cells;
  TriangleBounds* blocks;
  std::size_t bytes;

  Scratch(const TensorTask& task, void* memory)
  {
    const MeshCells mesh = meshCells(task.mesh);
    ScratchPieces pieces(memory);
    cells = pieces.take<TriangleBounds>(mesh.cells());
    blocks = pieces.take<TriangleBounds>(mesh.blocks());
    bytes = pieces.bytes();
  }
};

__device__ TriangleBounds
unionOverWarp(TriangleBounds bounds)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const auto other = [distance](float value) {
      return __shfl_xor_sync(all_lanes, value, distance);
    };
    bounds.add({{other(bounds.low.x), other(bounds.low.y), other(bounds.low.z)},
                {other(bounds.high.x), other(bounds.high.y), other(bounds.high.z)}});
  }
  return bounds;
}

/** \brief The boxes around cells; a warp has a cell. */
__global__ void
cellBoundsKernel(TensorMesh mesh, MeshCells cells, TriangleBounds* bounds)
{
  const int cell = blockIdx.x * bounds_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (cell >= cells.cells())
    return;
  const TriangleBounds all =
      unionOverWarp(boundsOf(cellTriangles(mesh, cells, cell, lane)));
  if (lane == 0)
    bounds[cell] = all;
}

/** \brief The boxes around blocks of cells; a warp has a block. */
__global__ void
blockBoundsKernel(MeshCells cells,
                  const TriangleBounds* cell_bounds,
                  TriangleBounds* bounds)
{
  const int block = blockIdx.x * bounds_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (block >= cells.blocks())
    return;
  TriangleBounds all;
  all.clear();
  for (int i = lane; i < mesh_block_size; i += warp_size) {
    const int cell = cells.cellOfBlock(block, i);
    if (cell >= 0)
      all.add(cell_bounds[cell]);
  }
  all = unionOverWarp(all);
  if (lane == 0)
    bounds[block] = all;
}

/** \brief What a block shares while it computes a tensor. */
struct Shared {
  TensorFrame frame;
  unsigned int begin; ///< place of the tensor's first entry
  unsigned int warp_counts[tensor_warps];
  int block_count;
  int blocks[tensor_threads]; ///< blocks of cells that may reach the grid
  int cell_count;
  int cells[cell_list_size]; ///< cells that may reach the grid
  unsigned int queues[tensor_warps][queue_size];
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
    for (int i = threadIdx.x; i < count; i += tensor_threads) {
      low[i] = 0;
      high[i] = 0;
    }
  }

  __device__ void
  add(int voxel, float area) const
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
class TriangleSum {
public:
  __device__
  TriangleSum(const TensorTask& task,
              const MeshCells& cells,
              const Scratch& scratch,
              Shared& shared,
              const GridRange& range,
              const VoxelSums& sums)
  : task_(task)
  , cells_(cells)
  , scratch_(scratch)
  , shared_(shared)
  , grid_(gridTransform(shared.frame, task.grid_size))
  , range_(range)
  , sums_(sums)
  {}

  /** \brief All threads of the block must call. */
  __device__ void
  addAll()
  {
    sums_.clear();
    if (threadIdx.x == 0)
      shared_.cell_count = 0;
    const int blocks = cells_.blocks();
    for (int first = 0; first < blocks; first += tensor_threads) {
      if (threadIdx.x == 0)
        shared_.block_count = 0;
      __syncthreads();
      const int block = first + threadIdx.x;
      if (block < blocks && mayReach(scratch_.blocks[block], grid_))
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
    constexpr int blocks_at_once = tensor_threads / mesh_block_size;
    for (int first = 0; first < shared_.block_count; first += blocks_at_once) {
      const int place = first + threadIdx.x / mesh_block_size;
      int cell = -1;
      if (place < shared_.block_count)
        cell = cells_.cellOfBlock(shared_.blocks[place], threadIdx.x % mesh_block_size);
      if (cell >= 0 && mayReach(scratch_.cells[cell], grid_))
        shared_.cells[atomicAdd(&shared_.cell_count, 1)] = cell;
      __syncthreads();
      if (shared_.cell_count > cell_list_size - tensor_threads)
        addListed();
    }
  }

  /** \brief Adds the triangles of the listed cells; a warp has a cell at a time. */
  __device__ void
  addListed()
  {
    const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    __syncthreads();
    queued_ = 0;
    for (int i = warp; i < shared_.cell_count; i += tensor_warps)
      addCell(shared_.cells[i], shared_.queues[warp], lane);
    while (queued_ > 0)
      cutQueued(shared_.queues[warp], lane);
    __syncthreads();
    if (threadIdx.x == 0)
      shared_.cell_count = 0;
  }

  __device__ void
  addCell(int cell, unsigned int* queue, int lane)
  {
    const CellTriangles triangles = cellTriangles(task_.mesh, cells_, cell, lane);
    Vector3 corners[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      corners[i] = grid_(triangles.corners[i]);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const bool exists = i < triangles.count;
      bool done = true;
      if (exists)
        done = addIfUncut(gridTriangleOf(triangles, corners, i));
      const unsigned int waiting = __ballot_sync(all_lanes, !done);
      if (!done)
        queue[queued_ + __popc(waiting & ((1u << lane) - 1))] =
            static_cast<unsigned int>(cell) * (2 * mesh_cell_size) + 2 * lane + i;
      queued_ += __popc(waiting);
      __syncwarp();
      if (queued_ > queue_size - warp_size)
        cutQueued(queue, lane);
    }
  }

  /** \brief Cuts the triangles at the end of the queue, one for each lane. */
  __device__ void
  cutQueued(unsigned int* queue, int lane)
  {
    const int count = min(queued_, warp_size);
    queued_ -= count;
    if (lane < count) {
      const unsigned int entry = queue[queued_ + lane];
      const int place = entry % (2 * mesh_cell_size);
      const CellTriangles triangles =
          cellTriangles(task_.mesh, cells_, entry / (2 * mesh_cell_size), place / 2);
      Vector3 corners[4];
      for (int i = 0; i < 4; ++i)
        corners[i] = grid_(triangles.corners[i]);
      addToGrid(gridTriangleOf(triangles, corners, place % 2),
                range_,
                [this](int voxel, float area) { sums_.add(voxel, area); });
    }
    __syncwarp();
  }

  __device__ static GridTriangle
  gridTriangleOf(const CellTriangles& triangles, const Vector3* corners, int i)
  {
    const int* const order = triangles.order[i];
    const auto corner = [corners](int number) {
      // Without memory that is addressed by number.
      return number == 0   ? corners[0]
             : number == 1 ? corners[1]
             : number == 2 ? corners[2]
                           : corners[3];
    };
    return makeGridTriangle(corner(order[0]), corner(order[1]), corner(order[2]));
  }

  __device__ bool
  addIfUncut(const GridTriangle& triangle)
  {
    return addUncut(triangle,
                    GridSpan(triangle, range_),
                    range_,
                    [this](int voxel, float area) { sums_.add(voxel, area); });
  }

  const TensorTask& task_;
  const MeshCells& cells_;
  const Scratch& scratch_;
  Shared& shared_;
  GridTransform grid_;
  GridRange range_;
  VoxelSums sums_;
  int queued_ = 0; // triangles in the warp's queue
};

/** \brief How many voxels of a warp's share are not empty. */
__device__ unsigned int
countEntries(const VoxelSums& sums, float min_area, int begin, int end)
{
  unsigned int count = 0;
  for (int first = begin; first < end; first += warp_size) {
    const int i = first + threadIdx.x % warp_size;
    const bool there =
        i < end && (sums.low[i] | sums.high[i]) != 0 && sums.area(i) > min_area;
    count += __popc(__ballot_sync(all_lanes, there));
  }
  return count;
}

/** \brief Writes the entries of a warp's share. */
__device__ void
writeEntries(
    const TensorTask& task, const VoxelSums& sums, int begin, int end, unsigned int to)
{
  const int lane = threadIdx.x % warp_size;
  for (int first = begin; first < end; first += warp_size) {
    const int i = first + lane;
    float area = 0.0f;
    if (i < end && (sums.low[i] | sums.high[i]) != 0)
      area = sums.area(i);
    const bool there = area > task.min_area;
    const unsigned int lanes = __ballot_sync(all_lanes, there);
    const unsigned int place = to + __popc(lanes & ((1u << lane) - 1));
    if (there && place < task.max_entries) {
      task.voxels[place] = static_cast<std::uint16_t>(sums.first + i);
      task.areas[place] = area;
    }
    to += __popc(lanes);
  }
}

/** \brief Computes tensors; a block has one. */
__global__ void
__launch_bounds__(tensor_threads) tensorKernel(
    TensorTask task, MeshCells cells, Scratch scratch, BlockOrder order, int layers)
{
  __shared__ Shared shared;
  extern __shared__ unsigned int voxel_sums[];
  waitForPreviousKernel();
  const int count = min(*task.pair_count, task.max_pairs);
  const int tensor = blockIdx.x;
  if (tensor >= count) {
    if (tensor == 0 && threadIdx.x == 0) {
      *task.count = 0;
      task.starts[0] = 0;
    }
    return;
  }
  const unsigned int run = order.run();
  if (threadIdx.x == 0) {
    shared.frame = localFrame(
        task.mesh, task.pairs[tensor], resolve(task.voxel_size, task.statistics));
    task.frames[tensor] = shared.frame;
    shared.begin = 0;
  }
  __syncthreads();

  const int size = task.grid_size;
  const int warp = threadIdx.x / warp_size;
  const auto sumsOf = [size, layers](int layer) {
    const int some = min(layers, size - layer);
    return VoxelSums{voxel_sums,
                     voxel_sums + size * size * layers,
                     layer * size * size,
                     some * size * size};
  };
  // A warp's share: whole rows of lanes but the last.
  const auto shareBegin = [](const VoxelSums& sums, int share) {
    const int rows = divideUp(sums.count, tensor_warps * warp_size);
    return min(sums.count, share * rows * warp_size);
  };
  const auto sumLayers = [&](const VoxelSums& sums, int layer) {
    __syncthreads();
    TriangleSum(task,
                cells,
                scratch,
                shared,
                gridRange(size, layer, sums.count / (size * size)),
                sums)
        .addAll();
    __syncthreads();
  };

  unsigned int total = 0;
  for (int layer = 0; layer < size; layer += layers) {
    const VoxelSums sums = sumsOf(layer);
    sumLayers(sums, layer);
    const unsigned int entries = countEntries(
        sums, task.min_area, shareBegin(sums, warp), shareBegin(sums, warp + 1));
    if (threadIdx.x % warp_size == 0)
      shared.warp_counts[warp] = entries;
    __syncthreads();
    for (int i = 0; i < tensor_warps; ++i)
      total += shared.warp_counts[i];
  }
  if (threadIdx.x == 0)
    order.publishCount(run, total);
  order.addCountsBefore<tensor_threads>(run, &shared.begin);
  __syncthreads();
  const unsigned int begin = shared.begin;
  if (threadIdx.x == 0) {
    order.publishEnd(run, begin + total);
    task.starts[tensor] = begin;
    if (tensor == count - 1) {
      task.starts[count] = begin + total;
      *task.count = count;
      order.finish(run);
    }
  }
  unsigned int to = begin;
  for (int layer = 0; layer < size; layer += layers) {
    const VoxelSums sums = sumsOf(layer);
    if (layers < size) {
      // Larger grids are summed once more, now that it is known where they go.
      sumLayers(sums, layer);
      const unsigned int entries = countEntries(
          sums, task.min_area, shareBegin(sums, warp), shareBegin(sums, warp + 1));
      if (threadIdx.x % warp_size == 0)
        shared.warp_counts[warp] = entries;
      __syncthreads();
    }
    unsigned int before = 0, all = 0;
    for (int i = 0; i < tensor_warps; ++i) {
      before += i < warp ? shared.warp_counts[i] : 0;
      all += shared.warp_counts[i];
    }
    writeEntries(
        task, sums, shareBegin(sums, warp), shareBegin(sums, warp + 1), to + before);
    to += all;
  }
}

} // namespace

ScratchBytes
tensorScratchBytes(const TensorTask& task)
{
  return {BlockOrder::bytes(task.max_pairs), Scratch(task, nullptr).bytes};
}

void
computeTensors(const TensorTask& task, const ScratchMemory& memory, cudaStream_t stream)
{
  const Scratch scratch(task, memory.loose);
  const MeshCells cells = meshCells(task.mesh);
  const dim3 block(bounds_warps * warp_size);
  if (cells.cells() > 0) {
    launchOverlapping("cellBoundsKernel",
                      cellBoundsKernel,
                      dim3(divideUp(cells.cells(), bounds_warps)),
                      block,
                      0,
                      stream,
                      task.mesh,
                      cells,
                      scratch.cells);
    launchOverlapping("blockBoundsKernel",
                      blockBoundsKernel,
                      dim3(divideUp(cells.blocks(), bounds_warps)),
                      block,
                      0,
                      stream,
                      cells,
                      scratch.cells,
                      scratch.blocks);
  }
  const int face = task.grid_size * task.grid_size;
  const int layers = task.grid_size < max_voxels_at_once / face
                         ? task.grid_size
                         : max_voxels_at_once / face;
  launchOverlapping("tensorKernel",
                    tensorKernel,
                    dim3(task.max_pairs),
                    dim3(tensor_threads),
                    2 * sizeof(unsigned int) * face * layers,
                    stream,
                    task,
                    cells,
                    scratch,
                    BlockOrder(memory.kept, task.max_pairs),
                    layers);
}

} // namespace cuda
} // namespace device
} // namespace pcl

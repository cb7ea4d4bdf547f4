// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pairs/point_pairs.hpp"
#include "tensors/cuda_connected.cuh"
#include "tensors/cuda_triangle_sum.cuh"
#include "tensors/local_frame.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

namespace pcl::device::cuda {

namespace {

constexpr int bounds_warps = 8;
/** \brief Blocks that a multiprocessor has room for: registers are limited for that. */
constexpr int sum_blocks = 4;
/** \brief Most blocks of a batch whose tensors are divided: with few tensors, several
 * blocks share each. */
constexpr int enough_blocks = 1024;
constexpr int max_parts = 16;

/** \brief Voxels that a block sums at a time; larger grids are done in layers. */
constexpr int max_voxels_at_once = 4096;
/** \brief Entries of all slots: a tensor of a batch has one for each of its voxels. */
constexpr int max_slot_entries = 16 << 20;
/** \brief Cells that have masks, in all slots together, if quads have to be
 * connected. */
constexpr int max_connected_cells = 4 << 20;
constexpr int frame_threads = 64;
constexpr int gather_threads = 256;

/** \brief Place of the entries of a tensor before they get their final place. */
struct Slot {
  std::uint16_t* voxels;
  float* areas;
};

struct Scratch {
  int first = 0; // number of the batch's first tensor
  int slots;     // tensors of a batch
  int voxels;    // of a grid, the most entries of a tensor
  int parts;     // of a tensor, a block each
  PointBounds* cell_bounds;
  PointBounds* block_bounds;
  unsigned int* counts; // of entries, in each slot
  std::uint16_t* slot_voxels;
  float* slot_areas;
  unsigned long long* part_sums; // of a tensor's voxels, in each slot
  unsigned int* parts_done;      // in each slot
  std::uint32_t* reaching;       // of ConnectedQuads, in each slot
  std::uint32_t* grown;
  std::size_t bytes;

  Scratch(const TensorTask& task, void* memory)
  : voxels(voxelCount(task.grid_size))
  , parts(1)
  {
    if (!task.connects() && layersAtOnce(task) == task.grid_size)
      while (parts < max_parts && task.max_pairs <= enough_blocks / (2 * parts))
        parts *= 2;
    const MeshCells mesh = meshCells(task.mesh);
    slots = min(task.max_pairs, max_slot_entries / voxels);
    if (task.connects())
      slots = min(slots, max(1, max_connected_cells / max(1, mesh.cells())));
    ScratchPieces pieces(memory);
    cell_bounds = pieces.take<PointBounds>(mesh.cells());
    block_bounds = pieces.take<PointBounds>(mesh.blocks());
    counts = pieces.take<unsigned int>(slots);
    slot_voxels = pieces.take<std::uint16_t>(std::size_t(slots) * voxels);
    slot_areas = pieces.take<float>(std::size_t(slots) * voxels);
    const std::size_t shares = parts > 1 ? std::size_t(slots) * parts : 0;
    part_sums = pieces.take<unsigned long long>(shares * voxels);
    parts_done = pieces.take<unsigned int>(slots);
    const std::size_t masks = task.connects() ? std::size_t(slots) * mesh.cells() : 0;
    reaching = pieces.take<std::uint32_t>(masks);
    grown = pieces.take<std::uint32_t>(masks);
    bytes = pieces.bytes();
  }

  /** \brief Layers of a grid that a block sums at a time. */
  static int
  layersAtOnce(const TensorTask& task)
  {
    const int face = task.grid_size * task.grid_size;
    return min(task.grid_size, max_voxels_at_once / face);
  }

  int
  gatherBlocks() const
  {
    return divideUp(slots, gather_threads / warp_size);
  }

  /** \brief The sums of one part of the tensor in a slot. */
  __device__ unsigned long long*
  partSums(int slot, int part) const
  {
    return part_sums + (std::size_t(slot) * parts + part) * voxels;
  }

  __device__ Slot
  slot(int number) const
  {
    const std::size_t place = std::size_t(number) * voxels;
    return {slot_voxels + place, slot_areas + place};
  }
};

__device__ PointBounds
unionOverWarp(PointBounds bounds)
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
cellBoundsKernel(TensorMesh mesh, MeshCells cells, PointBounds* bounds)
{
  const int cell = blockIdx.x * bounds_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (cell >= cells.cells())
    return;
  const PointBounds all = unionOverWarp(boundsOf(mesh, cells, cell, lane));
  if (lane == 0)
    bounds[cell] = all;
}

/** \brief The boxes around blocks of cells; a warp has a block. */
__global__ void
blockBoundsKernel(MeshCells cells, const PointBounds* cell_bounds, PointBounds* bounds)
{
  const int block = blockIdx.x * bounds_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (block >= cells.blocks())
    return;
  PointBounds all;
  for (int i = lane; i < mesh_block_size; i += warp_size) {
    const int cell = cells.cellOfBlock(block, i);
    if (cell >= 0)
      all.add(cell_bounds[cell]);
  }
  all = unionOverWarp(all);
  if (lane == 0)
    bounds[block] = all;
}

/** \brief Finds the frames of all tensors, and prepares the counts of parts. */
__global__ void
frameKernel(const __grid_constant__ TensorTask task,
            const __grid_constant__ Scratch scratch)
{
  const int tensor = blockIdx.x * blockDim.x + threadIdx.x;
  waitForPreviousKernel();
  if (tensor < scratch.slots)
    scratch.parts_done[tensor] = 0;
  if (tensor < min(*task.pair_count, task.max_pairs))
    task.frames[tensor] = localFrame(task.mesh, task.pairs[tensor], task.voxelSize());
}

/** \brief Adds the entries of a range of voxels to a tensor's.
 * \param[in] count number of entries before
 * \return the number of entries after
 */
__device__ __forceinline__ unsigned int
appendEntries(const VoxelSums& sums, float min_area, Slot slot, unsigned int count)
{
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  // A warp's share: whole rows of lanes but the last.
  const int share = divideUp(sums.count, sum_threads) * warp_size;
  const int begin = min(sums.count, warp * share);
  const int end = min(sums.count, begin + share);
  const auto areaAt = [&](int i) {
    const unsigned long long units = i < end ? sums.units(i) : 0;
    return units != 0 ? areaOfUnits(units) : 0.0f;
  };
  unsigned int of_warp = 0;
  for (int first = begin; first < end; first += warp_size)
    of_warp += __popc(__ballot_sync(all_lanes, areaAt(first + lane) > min_area));
  if (lane == 0)
    shared().warp_counts[warp] = of_warp;
  __syncthreads();
  unsigned int to = count;
  for (int i = 0; i < sum_warps; ++i) {
    to += i < warp ? shared().warp_counts[i] : 0;
    count += shared().warp_counts[i];
  }
  for (int first = begin; first < end; first += warp_size) {
    const float area = areaAt(first + lane);
    const unsigned int lanes = __ballot_sync(all_lanes, area > min_area);
    const unsigned int place = to + lanesBefore(lanes, lane);
    if (area > min_area) {
      slot.voxels[place] = static_cast<std::uint16_t>(sums.first + first + lane);
      slot.areas[place] = area;
    }
    to += __popc(lanes);
  }
  return count;
}

/** \brief Stores the sums of a part of a tensor.
 * \return whether it was the last one: the block then has the sums of all
 */
__device__ __forceinline__ bool
joinParts(const Scratch& scratch, int slot, int part, const VoxelSums& sums)
{
  unsigned long long* const own = scratch.partSums(slot, part);
  for (int i = threadIdx.x; i < sums.count; i += sum_threads)
    own[i] = sums.units(i);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    const int done = static_cast<int>(atomicAdd(scratch.parts_done + slot, 1u));
    shared().is_last = done == scratch.parts - 1;
    if (shared().is_last)
      scratch.parts_done[slot] = 0;
    __threadfence();
  }
  __syncthreads();
  if (!shared().is_last)
    return false;
  for (int i = threadIdx.x; i < sums.count; i += sum_threads) {
    unsigned long long all = 0;
    // In pairs, as parts are a power of two, and without a condition, so that many
    // loads are under way at once.
#pragma unroll 4
    for (int other = 0; other < scratch.parts; other += 2)
      all += __ldcg(scratch.partSums(slot, other) + i) +
             __ldcg(scratch.partSums(slot, other + 1) + i);
    sums.set(i, all);
  }
  __syncthreads();
  return true;
}

/** \brief Finds the quads that are connected with a pair; one block. Not inlined, as it
 * needs a large stack. */
__device__ __noinline__ void
findConnected(const TensorTask& task,
              const MeshCells& cells,
              const Scratch& scratch,
              int slot,
              const TensorFrame& frame)
{
  const std::size_t masks = std::size_t(slot) * cells.cells();
  ConnectedQuads{task, cells, scratch.reaching + masks, scratch.grown + masks}.find(
      shared().grid, scratch.cell_bounds, frame);
}

/** \brief Computes the tensors of a batch into their slots; a block has one, or a
 * part. */
__global__ void
__launch_bounds__(sum_threads, sum_blocks)
    tensorKernel(const __grid_constant__ TensorTask task,
                 const __grid_constant__ MeshCells cells,
                 const __grid_constant__ Scratch scratch,
                 int layers)
{
  waitForPreviousKernel();
  // The last tensors come first: lower in an image surfaces are mostly nearer, and have
  // more triangles in a grid.
  const int slot = (gridDim.x - 1 - blockIdx.x) / scratch.parts;
  const int part = blockIdx.x % scratch.parts;
  const int tensor = scratch.first + slot;
  if (tensor >= min(*task.pair_count, task.max_pairs))
    return;
  const int size = task.grid_size;
  if (threadIdx.x == 0)
    shared().grid = gridTransform(task.frames[tensor], size);
  const std::uint32_t* only_quads = nullptr;
  if (task.connects()) {
    __syncthreads();
    findConnected(task, cells, scratch, slot, task.frames[tensor]);
    only_quads = scratch.grown + std::size_t(slot) * cells.cells();
  }
  unsigned int count = 0;
  for (int layer = 0; layer < size; layer += layers) {
    const int some = min(layers, size - layer);
    const int face = size * size;
    const SummedVoxels voxels = {
        gridRange(size, layer, some), face * layers, layer * face, some * face};
    const VoxelSums sums{voxels};
    __syncthreads();
    if (threadIdx.x == 0)
      shared().voxels = voxels;
    TriangleSum{task.mesh,
                cells,
                scratch.cell_bounds,
                scratch.block_bounds,
                part,
                scratch.parts,
                sums,
                only_quads}
        .addAll();
    if (scratch.parts > 1 && !joinParts(scratch, slot, part, sums))
      return;
    count = appendEntries(sums, task.min_area, scratch.slot(slot), count);
  }
  if (threadIdx.x == 0)
    scratch.counts[slot] = count;
}

/** \brief Joins the entries of a batch's tensors into one array; a warp has a
 * tensor. */
__global__ void
__launch_bounds__(gather_threads) gatherKernel(const __grid_constant__ TensorTask task,
                                               const __grid_constant__ Scratch scratch,
                                               BlockOrder order)
{
  constexpr int warps = gather_threads / warp_size;
  __shared__ unsigned int counts[warps];
  __shared__ unsigned int begin;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  const int all = max(0, min(*task.pair_count, task.max_pairs));
  const int count = min(all, scratch.first + scratch.slots);
  const int first = scratch.first + blockIdx.x * warps;
  const int slot_number = blockIdx.x * warps + warp, tensor = first + warp;
  if (threadIdx.x == 0 && blockIdx.x == 0 && scratch.first == 0) {
    *task.count = all;
    task.starts[0] = 0;
  }
  if (first >= count)
    return;
  const unsigned int run = order.run();
  if (lane == 0)
    counts[warp] = tensor < count ? scratch.counts[slot_number] : 0;
  const unsigned int batch_begin = scratch.first > 0 ? task.starts[scratch.first] : 0;
  if (threadIdx.x == 0)
    begin = 0;
  __syncthreads();
  unsigned int total = 0, before = 0;
  for (int i = 0; i < warps; ++i) {
    before += i < warp ? counts[i] : 0;
    total += counts[i];
  }
  if (threadIdx.x == 0)
    order.publishCount(run, total);
  order.addCountsBefore<gather_threads>(run, &begin);
  __syncthreads();
  if (threadIdx.x == 0) {
    order.publishEnd(run, begin + total);
    if (first + warps >= count || blockIdx.x == gridDim.x - 1)
      order.finish(run);
  }
  if (tensor >= count)
    return;
  const unsigned int from = batch_begin + begin + before, entries = counts[warp];
  if (lane == 0)
    task.starts[tensor + 1] = from + entries;
  const Slot slot = scratch.slot(slot_number);
  for (unsigned int i = lane; i < entries && from + i < task.room; i += warp_size) {
    task.voxels[from + i] = slot.voxels[i];
    task.areas[from + i] = slot.areas[i];
  }
}

} // namespace

ScratchBytes
tensorScratchBytes(const TensorTask& task)
{
  const Scratch scratch(task, nullptr);
  return {BlockOrder::bytes(scratch.gatherBlocks()), scratch.bytes};
}

void
computeTensors(const TensorTask& task, cudaStream_t stream)
{
  Scratch scratch(task, task.scratch.loose);
  const MeshCells cells = meshCells(task.mesh);
  const dim3 block(bounds_warps * warp_size);
  if (cells.cells() > 0) {
    launchOverlapping("cellBoundsKernel",
                      divideUp(cells.cells(), bounds_warps),
                      block,
                      stream)(cellBoundsKernel, task.mesh, cells, scratch.cell_bounds);
    launchOverlapping(
        "blockBoundsKernel", divideUp(cells.blocks(), bounds_warps), block, stream)(
        blockBoundsKernel, cells, scratch.cell_bounds, scratch.block_bounds);
  }
  if (task.max_pairs > 0)
    launchOverlapping("frameKernel",
                      divideUp(task.max_pairs, frame_threads),
                      frame_threads,
                      stream)(frameKernel, task, scratch);
  const int layers = Scratch::layersAtOnce(task);
  const std::size_t shared_bytes = sizeof(Shared) + 2 * sizeof(unsigned int) *
                                                        task.grid_size *
                                                        task.grid_size * layers;
  checkCuda(cudaFuncSetAttribute(tensorKernel,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes)),
            "asking for shared memory");
  for (; scratch.first < task.max_pairs; scratch.first += scratch.slots) {
    const int left = task.max_pairs - scratch.first;
    const int tensors = left < scratch.slots ? left : scratch.slots;
    launchOverlapping(
        "tensorKernel", tensors * scratch.parts, sum_threads, stream, shared_bytes)(
        tensorKernel, task, cells, scratch, layers);
    launchOverlapping("gatherKernel",
                      divideUp(tensors, gather_threads / warp_size),
                      gather_threads,
                      stream)(gatherKernel,
                              task,
                              scratch,
                              BlockOrder(task.scratch.kept, scratch.gatherBlocks()));
  }
}

} // namespace pcl::device::cuda

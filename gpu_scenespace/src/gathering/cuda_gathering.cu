// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/gathering.h"
#include "gathering/projection-inl.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device {

namespace {

__global__ void
boundDepthsKernel(const __grid_constant__ FrameImages images,
                  DepthRange* block_depths,
                  int block_count)
{
  const int block = blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (block >= block_count)
    return;
  const BlockPlace place = placeOfBlock(images, block);
  const int column = place.column + lane % block_columns;
  const int row = place.row + lane / block_columns;
  DepthRange range = no_depths;
  if (column < images.columns && row < images.rows) {
    const float depth =
        images.depth[static_cast<std::size_t>(row) * images.depth_stride + column];
    if (gpu::isMeasuredDepth(depth))
      range = {depth, depth};
  }
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    range.nearest =
        fminf(range.nearest, __shfl_xor_sync(all_lanes, range.nearest, distance));
    range.farthest =
        fmaxf(range.farthest, __shfl_xor_sync(all_lanes, range.farthest, distance));
  }
  if (lane == 0)
    block_depths[block] = range;
}

/** \brief The tiles of any of the ranges that the lanes of a warp have. */
__device__ TileRange
unionOverWarp(const TileRange& range)
{
  constexpr int far_away = 0x7fff;
  const bool is_empty = isEmpty(range);
  const int x0 = -maxOverWarp(is_empty ? -far_away : -range.x0);
  const int y0 = -maxOverWarp(is_empty ? -far_away : -range.y0);
  const int x1 = maxOverWarp(is_empty ? -1 : static_cast<int>(range.x1));
  const int y1 = maxOverWarp(is_empty ? -1 : static_cast<int>(range.y1));
  return tileRange(x0, y0, x1, y1);
}

/** \brief Adds to the costs of tiles; all lanes of a warp call. Whole numbers, so that
 * the order does not matter. */
__device__ void
addCost(const GatheringTask& task, const TileRange& range, int cost)
{
  const TileArea& area = task.tiles;
  const int x0 = max(range.x0 - area.x0, 0), y0 = max(range.y0 - area.y0, 0);
  const int columns = min(range.x1 - area.x0 + 1, area.columns) - x0;
  const int rows = min(range.y1 - area.y0 + 1, area.rows) - y0;
  if (columns <= 0 || rows <= 0)
    return;
  for (int i = threadIdx.x % warp_size; i < columns * rows; i += warp_size)
    atomicAdd(
        &task.tile_sort.keys[(y0 + i / columns) * area.columns + x0 + i % columns],
        cost);
}

/** \brief Bounds the tiles of groups of a range: a group for each warp, a block for
 * each lane. */
__global__ void
__launch_bounds__(grouped_groups* warp_size)
    boundTilesKernel(const __grid_constant__ GatheringTask task)
{
  __shared__ TileRange group_tiles[grouped_groups];
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  const int group = blockIdx.x * grouped_groups + warp;
  const Frame& frame = task.frames[blockIdx.y];
  if (static_cast<int>(blockIdx.x) >= frame.images.groupRanges())
    return;
  TileRange range = no_tiles;
  if (group < frame.images.groups()) {
    const int block = group * group_blocks + lane;
    const BlockPlace place = placeOfBlock(frame.images, block);
    const DepthRange depths = frame.images.block_depths[block];
    const RoughTileRange<float> rough = boundTiles(frame.projection,
                                                   task.view,
                                                   static_cast<float>(place.column),
                                                   static_cast<float>(place.row),
                                                   depths.nearest,
                                                   depths.farthest);
    range = tileRange(rough.x0, rough.y0, rough.x1, rough.y1);
    const std::size_t first_block =
        static_cast<std::size_t>(frame.first_group) * group_blocks;
    task.block_tiles[first_block + block] = range;
    const int seen_blocks = __popc(__ballot_sync(all_lanes, !isEmpty(range)));
    range = unionOverWarp(range);
    if (lane == 0)
      task.group_tiles[frame.first_group + group] = range;
    addCost(task, range, seen_blocks);
  }
  if (lane == 0)
    group_tiles[warp] = range;
  __syncthreads();
  if (warp == 0) {
    range = unionOverWarp(group_tiles[lane]);
    if (lane == 0)
      task.range_tiles[frame.first_range + blockIdx.x] = range;
  }
}

/** \brief Numbers a tile, and turns its cost into its key. */
struct NumberTile {
  KeySort sort;

  PCL_GPU_HOST_DEVICE void
  operator()(int tile, int) const
  {
    constexpr std::uint32_t most = (1u << cost_bits) - 1;
    sort.numbers[tile] = tile;
    sort.keys[tile] = most - (sort.keys[tile] & most);
  }
};

} // namespace

namespace cuda {

void
boundDepths(const DepthBoundsTask& task, cudaStream_t stream)
{
  constexpr int threads = 128, blocks = threads / warp_size;
  const int count = task.images.groups() * group_blocks;
  boundDepthsKernel<<<divideUp(count, blocks), threads, 0, stream>>>(
      task.images, task.block_depths, count);
  checkLaunch("boundDepths");
}

const std::uint32_t*
boundTiles(const GatheringTask& task, cudaStream_t stream)
{
  const dim3 grid(divideUp(task.most_groups, grouped_groups), task.frame_count);
  const int tiles = static_cast<int>(task.tile_sort.count);
  checkCuda(
      cudaMemsetAsync(task.tile_sort.keys, 0, tiles * sizeof(std::uint32_t), stream),
      "clearing costs");
  boundTilesKernel<<<grid, grouped_groups * warp_size, 0, stream>>>(task);
  checkLaunch("boundTiles");
  parallelFor2D(CudaExecutor{stream}, tiles, 1, NumberTile{task.tile_sort});
  return sortByKeys(task.tile_sort, stream);
}

} // namespace cuda

} // namespace pcl::device

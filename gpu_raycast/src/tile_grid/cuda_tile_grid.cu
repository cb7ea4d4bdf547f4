// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tile_grid/cuda_lists.cuh"
#include "tile_grid/cuda_tile_grid.cuh"
#include "visibility/cuda_cast_items.cuh"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 128;

__device__ void
addWide(const Grid& grid, std::uint32_t id, const PixelRectangle& pixels)
{
  grid.wide[atomicAdd(&grid.sums->wide_count, 1u)] = {id, pixels};
}

/** \brief Calls function(tile) for each tile of each place of a warp, and function(-1)
 * for threads that have no more. All threads of the warp must call. */
template <typename Function>
__device__ void
forTilesOfWarp(const GridLayout& layout,
               const GridPlace& place,
               const Function& function)
{
  int x = place.first_x;
  int y = place.first_y;
  bool more = place.first_x <= place.last_x;
  while (__any_sync(all_lanes, more)) {
    function(more ? y * layout.tiles_x + x : -1);
    if (++x > place.last_x) {
      x = place.first_x;
      more = more && ++y <= place.last_y;
    }
  }
}

/** \brief Widens the frame's range of depths by that of the calling block. All of its
 * threads must call.
 * \param[in] bits of a depth; 0 to include none
 */
__device__ void
includeDepth(DepthBits* depths, std::uint32_t bits)
{
  __shared__ DepthBits of_block;
  if (threadIdx.x == 0)
    of_block = {0, 0};
  __syncthreads();
  const std::uint32_t inverted = maxOverWarp(bits > 0 ? ~bits : 0u);
  const std::uint32_t most = maxOverWarp(bits);
  if (threadIdx.x % warp_size == 0) {
    atomicMax(&of_block.least_inverted, inverted);
    atomicMax(&of_block.most, most);
  }
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  // A look first: hardly a block changes the range.
  if (of_block.least_inverted > __ldcg(&depths->least_inverted))
    atomicMax(&depths->least_inverted, of_block.least_inverted);
  if (of_block.most > __ldcg(&depths->most))
    atomicMax(&depths->most, of_block.most);
}

/** \brief Finds the place of each triangle, and counts the entries of each tile. */
__global__ void
__launch_bounds__(threads)
    placeTriangles(const __grid_constant__ CastItems items, const Grid grid)
{
  waitForPreviousKernel();
  const CastItem& item = items.items[itemOfBlock(items)];
  const Instance& instance = item.instance;
  const int number = (blockIdx.x - item.first_block) * threads + threadIdx.x;
  const std::uint32_t id = instance.first_triangle + number;
  PixelRectangle pixels;
  GridPlace place = placeTriangle(grid.layout, item.camera, instance, id, pixels);
  const std::uint32_t depth =
      place.least_z > item.camera.nearest ? bitsOf(place.least_z) : 0;
  if (tileCount(place) > max_tiles_of_triangle) {
    addWide(grid, id, pixels);
    place = no_place;
  }
  if (number < instance.mesh.triangles_size)
    grid.placeOfTriangle(id) = place;
  forTilesOfWarp(grid.layout, place, [&](int tile) {
    addToList(grid.tile_ends, tile, tile >= 0);
  });
  includeDepth(&grid.sums->depths, depth);
}

/** \brief Puts each triangle into the lists of its tiles. */
__global__ void
__launch_bounds__(threads) fillTiles(const Grid grid, std::uint32_t triangles)
{
  waitForPreviousKernel();
  const std::uint32_t number = blockIdx.x * threads + threadIdx.x;
  const std::uint32_t id = grid.first_id + number;
  const GridPlace place = number < triangles ? grid.places[number] : no_place;
  bool fits = true;
  forTilesOfWarp(grid.layout, place, [&](int tile) {
    const unsigned int slot = addToList(grid.tile_ends, tile, tile >= 0);
    if (tile < 0)
      return;
    if (slot < grid.capacity)
      grid.entries[slot] = {id, place.least_z};
    fits = fits && slot < grid.capacity;
  });
  if (!fits)
    addWide(grid, id, pixelsOf(grid.layout, place));
}

struct GridMemory {
  Grid grid;
  void* scan;
  std::size_t scan_bytes;
  std::size_t bytes;

  GridMemory(const CastTask& task, void* scratch)
  {
    ScratchPieces pieces(scratch);
    grid = {
        takeTileGrid(pieces, task.layout, firstTriangle(task), sceneTriangles(task)),
        nullptr};
    grid.sorted = pieces.take<TileEntry>(grid.capacity);
    findListStarts(
        nullptr, scan_bytes, grid.tile_ends, grid.tiles(), grid.capacity, nullptr);
    scan = pieces.take<char>(scan_bytes);
    bytes = pieces.bytes();
  }
};

} // namespace

CastMemorySize
tileGridMemory(const CastTask& task)
{
  // Depth and triangles alone are written by the tiles themselves.
  const bool needs_keys = task.images.needTriangles() || task.leaves_keys;
  return {needs_keys ? pixelsOfViews(task) : 0, 0, GridMemory(task, nullptr).bytes};
}

Grid
makeTileGrid(const CastTask& task, int view, cudaStream_t stream)
{
  GridMemory memory(task, task.scratch);
  const Grid& grid = memory.grid;
  checkCuda(cudaMemsetAsync(grid.sums, 0, grid.cleared_bytes, stream),
            "clearing the grid");
  const std::size_t end = static_cast<std::size_t>(view + 1) * task.instance_count;
  for (std::size_t start = end - task.instance_count; start < end; start += max_items) {
    int blocks = 0;
    const CastItems items = castItems(task, start, end, threads, blocks);
    if (blocks > 0)
      launchOverlapping("placeTriangles", blocks, threads, stream)(
          placeTriangles, items, grid);
  }
  findListStarts(memory.scan,
                 memory.scan_bytes,
                 grid.tile_ends,
                 grid.tiles(),
                 grid.capacity,
                 stream);
  endStage(task, "split");
  const std::uint32_t triangles = sceneTriangles(task);
  if (triangles > 0)
    launchOverlapping("fillTiles",
                      (triangles + threads - 1) / threads,
                      threads,
                      stream)(fillTiles, grid, triangles);
  endStage(task, "build");
  return grid;
}

void
castTileGrid(const CastTask& task, cudaStream_t stream)
{
  for (int v = 0; v < task.view_count; ++v) {
    const Instance first = task.instance_count > 0 ? *task.instancesOf(v) : Instance{};
    castTiles({task, v, task.views[v].camera, first, makeTileGrid(task, v, stream)},
              stream);
    endStage(task, "cast");
  }
  if (task.keys && !task.leaves_keys)
    resolve(task, stream);
}

} // namespace pcl::device::cuda

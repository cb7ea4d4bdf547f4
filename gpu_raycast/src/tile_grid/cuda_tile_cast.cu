// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tile_grid/cuda_tile_grid.cuh"
#include "tile_grid/lists.hpp"
#include "visibility/cuda_warp_pixels.cuh"
#include "visibility/resolve.hpp"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

__device__ const Instance&
instanceOf(const TileCastParameters& parameters, std::uint32_t id)
{
  if (parameters.task.instance_count == 1)
    return parameters.first_instance;
  return parameters.task.deviceInstance(parameters.view, id);
}

/** \brief A tile, and its part of the grid. */
struct Tile {
  PixelRectangle pixels;
  SlabScale scale;
  unsigned int start; ///< of its list
  unsigned int count;

  __device__ explicit Tile(const TileCastParameters& parameters)
  : pixels(
        pixelsOfTile(parameters.grid.layout, parameters.camera, blockIdx.x, blockIdx.y))
  , scale(slabScale(parameters.grid.layout, parameters.grid.sums->depths))
  {
    const Grid& grid = parameters.grid;
    const ListRange list = listOf(
        grid.tile_ends, blockIdx.y * grid.layout.tiles_x + blockIdx.x, grid.capacity);
    start = list.first;
    count = list.end - list.first;
  }
};

/** \brief Entries of a tile that are sorted in shared memory; longer lists are in
 * global. */
constexpr int max_shared_entries = 256;

struct SortMemory {
  TileEntry sorted[max_shared_entries];
  unsigned int slab_ends[max_slabs];
};

/** \brief Sorts a tile's list by slab: the paper's third split.
 *
 * Order within a slab is left to chance; the nearest hit does not depend on it. All
 * threads of the block must call.
 */
__device__ const TileEntry*
sortBySlab(const Grid& grid, const Tile& tile, SortMemory& memory)
{
  const TileEntry* const entries = grid.entries + tile.start;
  TileEntry* const sorted =
      tile.count <= max_shared_entries ? memory.sorted : grid.sorted + tile.start;
  for (int slab = threadIdx.x; slab < tile.scale.slabs; slab += blockDim.x)
    memory.slab_ends[slab] = 0;
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < tile.count; i += blockDim.x)
    atomicAdd(&memory.slab_ends[slabOf(tile.scale, entries[i].least_z)], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned int sum = 0;
    for (int slab = 0; slab < tile.scale.slabs; ++slab) {
      const unsigned int size = memory.slab_ends[slab];
      memory.slab_ends[slab] = sum;
      sum += size;
    }
  }
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < tile.count; i += blockDim.x) {
    const TileEntry entry = entries[i];
    sorted[atomicAdd(&memory.slab_ends[slabOf(tile.scale, entry.least_z)], 1u)] = entry;
  }
  __syncthreads();
  return sorted;
}

__device__ void
writeHit(const TileCastParameters& parameters, int x, int y, HitKey key)
{
  const CastTask& task = parameters.task;
  const int row = task.firstRow(parameters.view) + y;
  if (task.keys)
    task.keysOfRow(row)[x] = key;
  else
    writeKey(task.images, row, x, key);
}

/** \brief A triangle in the shared memory of a block whose threads are rays. */
struct BatchTriangle {
  Triangle triangle;
  std::uint32_t id;
  int slab;
};

/** \brief Algorithm 1 of the paper: a thread a ray, triangles in batches.
 *
 * The paper's rays drop out at the first slab that they hit something in. Here a ray is
 * done when all slabs to come begin behind its hit.
 */
template <int tile_shift>
__global__ void __launch_bounds__(1 << 2 * tile_shift)
    castTilesByRays(const __grid_constant__ TileCastParameters parameters)
{
  constexpr int rays = 1 << 2 * tile_shift;
  constexpr int batch_size = rays < 128 ? rays : 128;
  waitForPreviousKernel();
  __shared__ BatchTriangle batch[batch_size];
  __shared__ SortMemory sort_memory;
  const Tile tile(parameters);
  const TileEntry* const sorted = sortBySlab(parameters.grid, tile, sort_memory);
  const unsigned int wide_count = parameters.grid.sums->wide_count;
  const int x = tile.pixels.first_x + threadIdx.x % (1 << tile_shift);
  const int y = tile.pixels.first_y + threadIdx.x / (1 << tile_shift);
  const PlanePoint slopes = pixelSlopes(parameters.camera, x, y);
  const bool is_inside = x <= tile.pixels.last_x && y <= tile.pixels.last_y;
  // Later slabs cannot hold a nearer hit. Wide triangles come first, in no slab.
  int hit_slab = is_inside ? tile.scale.slabs : -2;
  HitKey nearest = no_hit;
  unsigned int tests = 0;

  const auto castBatch = [&](int size) {
    for (int i = 0; i < size; ++i) {
      if (batch[i].slab > hit_slab)
        continue;
      ++tests;
      TriangleHit hit;
      if (!hitsTriangle(parameters.camera, slopes, batch[i].triangle, hit))
        continue;
      const HitKey key = hitKey(hit.t, batch[i].id);
      if (key < nearest) {
        nearest = key;
        hit_slab = slabOf(tile.scale, hit.t);
      }
    }
  };
  const auto loadIntoBatch = [&](std::uint32_t id, int slab) {
    loadTriangle(instanceOf(parameters, id), id, batch[threadIdx.x].triangle);
    batch[threadIdx.x].id = id;
    batch[threadIdx.x].slab = slab;
  };

  for (unsigned int first = 0; first < wide_count; first += batch_size) {
    const int size = min(wide_count - first, static_cast<unsigned int>(batch_size));
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < size)
      loadIntoBatch(parameters.grid.wide[first + threadIdx.x].id, -1);
    __syncthreads();
    castBatch(size);
  }
  for (unsigned int first = 0; first < tile.count; first += batch_size) {
    const int size = min(tile.count - first, static_cast<unsigned int>(batch_size));
    if (__syncthreads_and(hit_slab < slabOf(tile.scale, sorted[first].least_z)))
      break;
    if (static_cast<int>(threadIdx.x) < size) {
      const TileEntry entry = sorted[first + threadIdx.x];
      loadIntoBatch(entry.id, slabOf(tile.scale, entry.least_z));
    }
    __syncthreads();
    castBatch(size);
  }
  const int tests_of_warp = sumOverWarp(static_cast<int>(tests));
  if (threadIdx.x % warp_size == 0)
    atomicAdd(parameters.task.tests, static_cast<unsigned long long>(tests_of_warp));
  if (is_inside)
    writeHit(parameters, x, y, nearest);
}

/** \brief Casts a tile's rays with the triangles of a warp at a time, front to back. */
template <int tile_shift>
struct TileByPixels {
  static constexpr int size = 1 << tile_shift;
  static constexpr int rays = size * size;
  static constexpr int threads = tile_shift == 5 ? 256 : 128;
  static constexpr int warps = threads / warp_size;

  struct Shared {
    HitKey keys[rays];
    TriangleRow rows[warps][warp_size];
    SortMemory sort;
  };

  const TileCastParameters& parameters;
  const Tile& tile;
  Shared& shared;

  __device__ void
  castWide()
  {
    const unsigned int count = parameters.grid.sums->wide_count;
    const int lane = threadIdx.x % warp_size;
    for (unsigned int first = threadIdx.x - lane; first < count; first += threads) {
      const unsigned int i = first + lane;
      std::uint32_t id = 0;
      bool touches = false;
      if (i < count) {
        const WideTriangle wide = parameters.grid.wide[i];
        id = wide.id;
        touches = overlap(wide.pixels, tile.pixels);
      }
      castWarp(id, touches);
    }
  }

  __device__ void
  castList()
  {
    // Entries that all warps take at once need no order.
    const bool is_short = tile.count <= threads;
    const TileEntry* const entries =
        is_short ? parameters.grid.entries + tile.start
                 : sortBySlab(parameters.grid, tile, shared.sort);
    const int lane = threadIdx.x % warp_size;
    for (unsigned int first = threadIdx.x - lane; first < tile.count;
         first += threads) {
      if (!is_short && isDone(slabOf(tile.scale, entries[first].least_z)))
        return;
      const bool exists = first + lane < tile.count;
      castWarp(exists ? entries[first + lane].id : 0, exists);
    }
  }

  /** \brief Returns whether all hits lie in slabs before; others may be on their way
   * meanwhile. */
  __device__ bool
  isDone(int slab) const
  {
    bool done = true;
    for (int i = threadIdx.x % warp_size; i < rays; i += warp_size) {
      const HitKey key = const_cast<const volatile HitKey&>(shared.keys[i]);
      done = done && key != no_hit && slabOf(tile.scale, depthOf(key)) < slab;
    }
    return __all_sync(all_lanes, done);
  }

  /** \brief Tests a triangle of each thread against the tile's pixels that it may
   * touch. */
  __device__ void
  castWarp(std::uint32_t id, bool exists)
  {
    Triangle triangle;
    PixelRectangle pixels;
    int count = 0;
    if (exists) {
      loadTriangle(instanceOf(parameters, id), id, triangle);
      const PixelRectangle all = pixelBounds(parameters.camera, triangle);
      pixels = {max(all.first_x, tile.pixels.first_x),
                max(all.first_y, tile.pixels.first_y),
                min(all.last_x, tile.pixels.last_x),
                min(all.last_y, tile.pixels.last_y)};
      count = pixelCount(pixels);
    }
    testPixelsOfWarp(parameters.camera,
                     shared.rows[threadIdx.x / warp_size],
                     triangle,
                     id,
                     pixels,
                     count,
                     [&](int x, int y) {
                       return shared.keys + (y - tile.pixels.first_y) * size + x -
                              tile.pixels.first_x;
                     });
  }
};

template <int tile_shift>
__global__ void
__launch_bounds__(TileByPixels<tile_shift>::threads)
    castTilesByPixels(const __grid_constant__ TileCastParameters parameters)
{
  using Caster = TileByPixels<tile_shift>;
  waitForPreviousKernel();
  __shared__ typename Caster::Shared shared;
  for (int i = threadIdx.x; i < Caster::rays; i += Caster::threads)
    shared.keys[i] = no_hit;
  __syncthreads();
  const Tile tile(parameters);
  Caster caster{parameters, tile, shared};
  caster.castWide();
  if (tile.count > 0)
    caster.castList();
  __syncthreads();
  for (int i = threadIdx.x; i < Caster::rays; i += Caster::threads) {
    const int x = tile.pixels.first_x + i % Caster::size;
    const int y = tile.pixels.first_y + i / Caster::size;
    if (x <= tile.pixels.last_x && y <= tile.pixels.last_y)
      writeHit(parameters, x, y, shared.keys[i]);
  }
}

template <int tile_shift>
void
launchTiles(const TileCastParameters& parameters, cudaStream_t stream)
{
  const dim3 tiles(parameters.grid.layout.tiles_x, parameters.grid.layout.tiles_y);
  if (parameters.task.tests)
    launchOverlapping("castTilesByRays", tiles, 1 << 2 * tile_shift, stream)(
        castTilesByRays<tile_shift>, parameters);
  else
    launchOverlapping("castTilesByPixels",
                      tiles,
                      TileByPixels<tile_shift>::threads,
                      stream)(castTilesByPixels<tile_shift>, parameters);
}

} // namespace

void
castTiles(const TileCastParameters& parameters, cudaStream_t stream)
{
  switch (parameters.grid.layout.tile_shift) {
  case 3:
    return launchTiles<3>(parameters, stream);
  case 4:
    return launchTiles<4>(parameters, stream);
  default:
    return launchTiles<5>(parameters, stream);
  }
}

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_cast_items.cuh"
#include "cuda_tile_grid.h"
#include "scratch_pieces.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cub/device/device_scan.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int threads = 128;

/** \brief What is zero before a grid is made. */
struct GridSums {
  DepthBits depths;
  unsigned int wide_count;
};

/** \brief The grid of one view, in scratch memory. */
struct Grid {
  GridLayout layout;
  GridPlace* places;       ///< one a triangle of the scene
  GridSums* sums;          ///< before the tiles' numbers, so that one fill clears both
  unsigned int* tile_ends; ///< counts, then starts, then ends of the tiles' lists
  TileEntry* entries;      ///< the tiles' lists, one after the other
  TileEntry* sorted;       ///< the same by slab, where a list is long
  unsigned int capacity;   ///< of entries
  WideTriangle* wide;      ///< has room for all triangles, twice
};

__device__ void
addWide(const Grid& grid, std::uint32_t id, const PixelRectangle& pixels)
{
  grid.wide[atomicAdd(&grid.sums->wide_count, 1u)] = {id, pixels};
}

/** \brief Widens the range of depths; looks first, since hardly a triangle does. */
__device__ void
includeDepth(DepthBits* depths, std::uint32_t bits)
{
  if (~bits > __ldcg(&depths->least_inverted))
    atomicMax(&depths->least_inverted, ~bits);
  if (bits > __ldcg(&depths->most))
    atomicMax(&depths->most, bits);
}

/** \brief Finds the place of each triangle, and counts the entries of each tile. */
__global__ void
__launch_bounds__(threads)
    placeTriangles(const __grid_constant__ CastItems items, Grid grid)
{
  waitForPreviousKernel();
  const CastItem& item = items.items[itemOfBlock(items)];
  const Instance& instance = item.instance;
  const int number = (blockIdx.x - item.first_block) * threads + threadIdx.x;
  if (number >= instance.mesh.triangles_size)
    return;
  const std::uint32_t id = instance.first_triangle + number;
  GridPlace place = no_place;
  Triangle triangle;
  if (number < triangleCount(instance.mesh) &&
      loadTriangle(instance.mesh, instance.transform, number, triangle)) {
    const PixelRectangle pixels = pixelBounds(item.camera, triangle);
    if (pixelCount(pixels) > 0) {
      const float least_z = leastDepth(triangle);
      place = placeOf(grid.layout, pixels, least_z);
      if (least_z > item.camera.nearest)
        includeDepth(&grid.sums->depths, bitsOf(least_z));
      if (tileCount(place) > max_tiles_of_triangle) {
        addWide(grid, id, pixels);
        place = no_place;
      }
    }
  }
  grid.places[id] = place;
  for (int y = place.first_y; y <= place.last_y; ++y)
    for (int x = place.first_x; x <= place.last_x; ++x)
      atomicAdd(grid.tile_ends + y * grid.layout.tiles_x + x, 1u);
}

/** \brief Puts each triangle into the lists of its tiles. */
__global__ void
__launch_bounds__(threads) fillTiles(Grid grid, std::uint32_t triangles)
{
  waitForPreviousKernel();
  const std::uint32_t id = blockIdx.x * threads + threadIdx.x;
  if (id >= triangles)
    return;
  const GridPlace place = grid.places[id];
  bool fits = true;
  for (int y = place.first_y; y <= place.last_y; ++y)
    for (int x = place.first_x; x <= place.last_x; ++x) {
      const unsigned int slot =
          atomicAdd(grid.tile_ends + y * grid.layout.tiles_x + x, 1u);
      if (slot < grid.capacity)
        grid.entries[slot] = {id, place.least_z};
      fits = fits && slot < grid.capacity;
    }
  if (!fits)
    addWide(grid, id, pixelsOf(grid.layout, place));
}

/** \brief A triangle in the shared memory of the block that casts a tile's rays. */
struct alignas(16) BatchTriangle {
  Triangle triangle;
  std::uint32_t id;
  int slab;
  /** \brief The pixels of the tile that it may touch: four bytes, first x, first y, last x,
   * last y. */
  std::uint32_t pixels;
};

/** \brief What casting the rays of a view takes. */
struct CastParameters {
  Grid grid;
  CameraModel camera;
  Instance first_instance;
  const Instance* instances; ///< on the device
  int instance_count;
  HitKey* keys; ///< null if images are written at once
  ImageArrays images;
  int first_row;             ///< of the view in the images
  unsigned long long* tests; ///< null, or counts the tests of a ray and a triangle
};

__device__ const Instance&
instanceOf(const CastParameters& parameters, std::uint32_t id)
{
  if (parameters.instance_count == 1)
    return parameters.first_instance;
  return parameters
      .instances[findInstance(parameters.instances, parameters.instance_count, id)];
}

/** \brief Entries of a tile that are sorted in shared memory; longer lists are in global. */
constexpr int max_shared_entries = 512;

/** \brief Warps cast the rays of 8 x 4 pixels. */
constexpr int warp_columns = 8;
constexpr int warp_rows = 4;

template <int tile_shift>
struct TileCaster {
  static constexpr int tile_size = 1 << tile_shift;
  static constexpr int rays = tile_size * tile_size;
  static constexpr int batch_size = rays < 128 ? rays : 128;

  struct Shared {
    BatchTriangle batch[batch_size];
    TileEntry sorted[max_shared_entries];
    unsigned int slab_ends[max_slabs];
    int batch_count;
  };

  const CastParameters& parameters;
  Shared& shared;
  const SlabScale scale;
  const PixelRectangle tile;
  const int x, y;                  ///< of the ray's pixel
  const PlanePoint slopes;         ///< of the ray
  const std::uint32_t warp_pixels; ///< as BatchTriangle::pixels
  HitKey nearest = no_hit;
  int hit_slab; ///< later ones cannot hold a nearer hit
  unsigned int tests = 0;

  __device__
  TileCaster(const CastParameters& parameters_arg,
             Shared& shared_arg,
             const SlabScale& scale_arg,
             const PixelRectangle& tile_arg,
             int warp_x,
             int warp_y,
             int lane)
  : parameters(parameters_arg)
  , shared(shared_arg)
  , scale(scale_arg)
  , tile(tile_arg)
  , x(tile.first_x + warp_x + lane % warp_columns)
  , y(tile.first_y + warp_y + lane / warp_columns)
  , slopes(pixelSlopes(parameters.camera, x, y))
  , warp_pixels(
        packed({warp_x, warp_y, warp_x + warp_columns - 1, warp_y + warp_rows - 1}))
  // A ray outside of the image is done from the start.
  , hit_slab(x <= tile.last_x && y <= tile.last_y ? scale.slabs : -1)
  {}

  __device__ static std::uint32_t
  packed(const PixelRectangle& pixels)
  {
    return pixels.first_x | pixels.first_y << 8 | pixels.last_x << 16 |
           pixels.last_y << 24;
  }

  /** \brief Whether two packed rectangles overlap. */
  __device__ static bool
  touches(std::uint32_t a, std::uint32_t b)
  {
    // All first coordinates against the other's last ones, byte by byte.
    return __vcmpgtu4(__byte_perm(a, b, 0x5410), __byte_perm(b, a, 0x7632)) == 0;
  }

  __device__ void
  load(BatchTriangle& to, std::uint32_t id, int slab) const
  {
    const Instance& instance = instanceOf(parameters, id);
    loadTriangle(instance.mesh,
                 instance.transform,
                 static_cast<int>(id - instance.first_triangle),
                 to.triangle);
    const PixelRectangle all = pixelBounds(parameters.camera, to.triangle);
    to.id = id;
    to.slab = slab;
    to.pixels = packed({max(all.first_x - tile.first_x, 0),
                        max(all.first_y - tile.first_y, 0),
                        min(all.last_x - tile.first_x, tile_size - 1),
                        min(all.last_y - tile.first_y, tile_size - 1)});
  }

  /** \brief Tests the ray against the batch's triangles. */
  __device__ void
  castBatch(int count, int lane)
  {
    for (int base = 0; base < count; base += warp_size) {
      const bool mine =
          base + lane < count && touches(shared.batch[base + lane].pixels, warp_pixels);
      unsigned int candidates = __ballot_sync(all_lanes, mine);
      for (; candidates != 0; candidates &= candidates - 1) {
        const BatchTriangle& triangle = shared.batch[base + __ffs(candidates) - 1];
        if (triangle.slab > hit_slab)
          continue;
        ++tests;
        TriangleHit hit;
        if (!hitsTriangle(parameters.camera, slopes, triangle.triangle, hit))
          continue;
        const HitKey key = hitKey(hit.t, triangle.id);
        if (key < nearest) {
          nearest = key;
          hit_slab = slabOf(scale, hit.t);
        }
      }
    }
  }

  /** \brief The triangles that are in no tile's list. */
  __device__ void
  castWide(int lane)
  {
    const unsigned int count = parameters.grid.sums->wide_count;
    for (unsigned int start = 0; start < count; start += batch_size) {
      if (threadIdx.x == 0)
        shared.batch_count = 0;
      __syncthreads();
      const unsigned int i = start + threadIdx.x;
      if (threadIdx.x < batch_size && i < count) {
        const WideTriangle wide = parameters.grid.wide[i];
        if (overlap(wide.pixels, tile)) {
          BatchTriangle triangle;
          load(triangle, wide.id, 0);
          if (mayHitWithin(parameters.camera, tile, triangle.triangle))
            shared.batch[atomicAdd(&shared.batch_count, 1)] = triangle;
        }
      }
      __syncthreads();
      castBatch(shared.batch_count, lane);
      __syncthreads();
    }
  }

  /** \brief Sorts a tile's list by slab (the paper's third split); order within a slab is
   * left to chance, which the nearest hit does not depend on. */
  __device__ const TileEntry*
  sortBySlab(const TileEntry* entries, unsigned int count, TileEntry* sorted)
  {
    for (int slab = threadIdx.x; slab < scale.slabs; slab += rays)
      shared.slab_ends[slab] = 0;
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < count; i += rays)
      atomicAdd(&shared.slab_ends[slabOf(scale, entries[i].least_z)], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned int sum = 0;
      for (int slab = 0; slab < scale.slabs; ++slab) {
        const unsigned int size = shared.slab_ends[slab];
        shared.slab_ends[slab] = sum;
        sum += size;
      }
    }
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < count; i += rays) {
      const TileEntry entry = entries[i];
      sorted[atomicAdd(&shared.slab_ends[slabOf(scale, entry.least_z)], 1u)] = entry;
    }
    __syncthreads();
    return sorted;
  }

  /** \brief The triangles of the tile's list, front to back. */
  __device__ void
  castSlabs(unsigned int start, unsigned int end, int lane)
  {
    const Grid& grid = parameters.grid;
    const unsigned int count = end - start;
    const TileEntry* const sorted =
        sortBySlab(grid.entries + start,
                   count,
                   count <= max_shared_entries ? shared.sorted : grid.sorted + start);
    for (unsigned int first = 0; first < count; first += batch_size) {
      // Done: no ray of the tile can find a nearer hit in this slab or a later one.
      const int slab = slabOf(scale, sorted[first].least_z);
      if (__syncthreads_and(hit_slab < slab))
        return;
      const int size = min(count - first, static_cast<unsigned int>(batch_size));
      if (static_cast<int>(threadIdx.x) < size) {
        const TileEntry entry = sorted[first + threadIdx.x];
        load(shared.batch[threadIdx.x], entry.id, slabOf(scale, entry.least_z));
      }
      __syncthreads();
      castBatch(size, lane);
    }
  }
};

/** \brief Casts the rays of a tile: algorithm 1 of the paper, with an exact end. */
template <int tile_shift>
__global__ void
__launch_bounds__(TileCaster<tile_shift>::rays)
    castTiles(const __grid_constant__ CastParameters parameters)
{
  using Caster = TileCaster<tile_shift>;
  waitForPreviousKernel();
  __shared__ typename Caster::Shared shared;
  const Grid& grid = parameters.grid;
  const CameraModel& camera = parameters.camera;
  const int lane = threadIdx.x % warp_size;
  const int warp = threadIdx.x / warp_size;
  constexpr int warps_along = Caster::tile_size / warp_columns;
  const int tile_number = blockIdx.y * grid.layout.tiles_x + blockIdx.x;
  Caster caster(parameters,
                shared,
                slabScale(grid.layout, grid.sums->depths),
                pixelsOfTile(grid.layout, camera, blockIdx.x, blockIdx.y),
                warp % warps_along * warp_columns,
                warp / warps_along * warp_rows,
                lane);
  const unsigned int start =
      min(tile_number > 0 ? grid.tile_ends[tile_number - 1] : 0u, grid.capacity);
  const unsigned int end = min(grid.tile_ends[tile_number], grid.capacity);
  caster.castWide(lane);
  if (start < end)
    caster.castSlabs(start, end, lane);

  if (parameters.tests)
    atomicAdd(parameters.tests, static_cast<unsigned long long>(caster.tests));
  if (caster.x > caster.tile.last_x || caster.y > caster.tile.last_y)
    return;
  const HitKey key = caster.nearest;
  if (parameters.keys) {
    parameters.keys[static_cast<std::size_t>(caster.y) * camera.width + caster.x] = key;
    return;
  }
  const int row = parameters.first_row + caster.y;
  if (parameters.images.depth.data)
    at(parameters.images.depth, row, caster.x) =
        key == no_hit ? notANumber() : depthOf(key);
  if (parameters.images.triangles.data)
    at(parameters.images.triangles, row, caster.x) = static_cast<int>(triangleOf(key));
}

struct GridMemory {
  Grid grid;
  std::size_t sum_bytes; ///< of the sums and the tiles' numbers
  void* scan;
  std::size_t scan_bytes;
  std::size_t bytes;

  GridMemory(const CastTask& task, const GridLayout& layout, void* scratch)
  {
    const std::size_t triangles = sceneTriangles(task);
    const int tiles = layout.tiles_x * layout.tiles_y;
    ScratchPieces pieces(scratch);
    grid.layout = layout;
    grid.sums = pieces.take<GridSums>(1);
    grid.tile_ends = pieces.take<unsigned int>(tiles);
    sum_bytes = pieces.bytes();
    grid.places = pieces.take<GridPlace>(triangles);
    grid.capacity = entryCapacity(triangles);
    grid.entries = pieces.take<TileEntry>(grid.capacity);
    grid.sorted = pieces.take<TileEntry>(grid.capacity);
    grid.wide = pieces.take<WideTriangle>(2 * triangles);
    checkCuda(cub::DeviceScan::ExclusiveSum(
                  nullptr, scan_bytes, grid.tile_ends, grid.tile_ends, tiles),
              "asking for the size of a scan");
    scan = pieces.take<char>(scan_bytes);
    bytes = pieces.bytes();
  }
};

} // namespace

std::size_t
tileGridScratchBytes(const CastTask& task, const GridLayout& layout)
{
  return GridMemory(task, layout, nullptr).bytes;
}

void
castTileGrid(const CastTask& task,
             const GridLayout& layout,
             void* scratch,
             cudaStream_t stream)
{
  GridMemory memory(task, layout, scratch);
  const Grid& grid = memory.grid;
  const std::uint32_t triangles = sceneTriangles(task);
  for (int v = 0; v < task.view_count; ++v) {
    const CameraModel& camera = task.views[v].camera;
    checkCuda(cudaMemsetAsync(grid.sums, 0, memory.sum_bytes, stream),
              "clearing the grid");
    const std::size_t end = static_cast<std::size_t>(v + 1) * task.instance_count;
    for (std::size_t start = end - task.instance_count; start < end;
         start += max_items) {
      int blocks = 0;
      const CastItems items = castItems(task, start, end, threads, blocks);
      if (blocks > 0)
        launchOverlapping(
            "placeTriangles", &placeTriangles, blocks, threads, 0, stream, items, grid);
    }
    checkCuda(cub::DeviceScan::ExclusiveSum(memory.scan,
                                            memory.scan_bytes,
                                            grid.tile_ends,
                                            grid.tile_ends,
                                            layout.tiles_x * layout.tiles_y,
                                            stream),
              "adding up the grid");
    if (triangles > 0)
      launchOverlapping("fillTiles",
                        &fillTiles,
                        (triangles + threads - 1) / threads,
                        threads,
                        0,
                        stream,
                        grid,
                        triangles);

    const std::size_t pixels = static_cast<std::size_t>(camera.width) * camera.height;
    CastParameters parameters{};
    parameters.grid = grid;
    parameters.camera = camera;
    parameters.instance_count = task.instance_count;
    if (task.instance_count > 0)
      parameters.first_instance = task.instances[v * task.instance_count];
    parameters.instances = task.device_instances + v * task.instance_count;
    parameters.keys = task.images.needTriangles() ? task.keys + v * pixels : nullptr;
    parameters.images = task.images;
    parameters.first_row = v * camera.height;
    parameters.tests = task.tests;
    const auto kernel = layout.tile_shift == 3   ? &castTiles<3>
                        : layout.tile_shift == 4 ? &castTiles<4>
                                                 : &castTiles<5>;
    launchOverlapping("castTiles",
                      kernel,
                      dim3(layout.tiles_x, layout.tiles_y),
                      1 << 2 * layout.tile_shift,
                      0,
                      stream,
                      parameters);
  }
}

} // namespace cuda
} // namespace device
} // namespace pcl

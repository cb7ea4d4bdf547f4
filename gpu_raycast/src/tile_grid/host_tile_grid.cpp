// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tile_grid/sum_within_room.hpp"
#include "tile_grid/tile_grid.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <algorithm>
#include <numeric>

namespace pcl::device::host {

namespace {

/** \brief The grid of one view, in scratch memory. */
struct Grid {
  GridPlace* places;       ///< one a triangle of the scene
  unsigned int* tile_ends; ///< counts, then starts, then ends of the tiles' lists
  TileEntry* entries;      ///< the tiles' lists, one after the other
  unsigned int capacity;   ///< of entries
  WideTriangle* wide;
  unsigned int wide_count;
  std::size_t bytes;

  Grid(const CastTask& task, void* scratch) : wide_count(0)
  {
    const std::size_t triangles = sceneTriangles(task);
    ScratchPieces pieces(scratch);
    capacity = entryCapacity(triangles);
    places = pieces.take<GridPlace>(triangles);
    tile_ends = pieces.take<unsigned int>(task.layout.tiles_x * task.layout.tiles_y);
    entries = pieces.take<TileEntry>(capacity);
    wide = pieces.take<WideTriangle>(2 * triangles);
    bytes = pieces.bytes();
  }
};

/** \brief Calls function(tile) for each tile of a place. */
template <typename Function>
void
forTiles(const GridLayout& layout, const GridPlace& place, const Function& function)
{
  for (int y = place.first_y; y <= place.last_y; ++y)
    for (int x = place.first_x; x <= place.last_x; ++x)
      function(y * layout.tiles_x + x);
}

/** \brief Finds the place of each triangle of an instance.
 * \param[in,out] depths of all triangles so far
 */
void
placeTriangles(const GridLayout& layout,
               const CameraModel& camera,
               const Instance& instance,
               GridPlace* places,
               DepthBits& depths)
{
  const int count = triangleCount(instance.mesh);
  std::uint32_t least_inverted = depths.least_inverted;
  std::uint32_t most = depths.most;
#pragma omp parallel for reduction(max : least_inverted, most)
  for (int i = 0; i < instance.mesh.triangles_size; ++i) {
    Triangle triangle{};
    GridPlace place = no_place;
    if (i < count && loadTriangle(instance, i, triangle)) {
      const PixelRectangle pixels = pixelBounds(camera, triangle);
      if (pixelCount(pixels) > 0) {
        place = placeOf(layout, pixels, leastDepth(triangle));
        if (place.least_z > camera.nearest) {
          least_inverted = std::max(least_inverted, ~bitsOf(place.least_z));
          most = std::max(most, bitsOf(place.least_z));
        }
      }
    }
    places[instance.first_triangle + i] = place;
  }
  depths = {least_inverted, most};
}

/** \brief Puts each triangle into the lists of its tiles, in the order of their ids. */
void
fillTiles(const GridLayout& layout, std::uint32_t triangles, Grid& grid)
{
  const int tiles = layout.tiles_x * layout.tiles_y;
  const auto addWide = [&](std::uint32_t id) {
    grid.wide[grid.wide_count++] = {id, pixelsOf(layout, grid.places[id])};
  };
  std::fill_n(grid.tile_ends, tiles, 0u);
  for (std::uint32_t id = 0; id < triangles; ++id) {
    if (tileCount(grid.places[id]) > max_tiles_of_triangle) {
      addWide(id);
      grid.places[id] = no_place;
    }
    forTiles(layout, grid.places[id], [&](int tile) { ++grid.tile_ends[tile]; });
  }
  std::exclusive_scan(grid.tile_ends,
                      grid.tile_ends + tiles,
                      grid.tile_ends,
                      0u,
                      SumWithinRoom{grid.capacity});
  for (std::uint32_t id = 0; id < triangles; ++id) {
    bool fits = true;
    forTiles(layout, grid.places[id], [&](int tile) {
      const unsigned int slot = grid.tile_ends[tile]++;
      if (slot < grid.capacity)
        grid.entries[slot] = {id, grid.places[id].least_z};
      fits = fits && slot < grid.capacity;
    });
    if (!fits)
      addWide(id);
  }
}

/** \brief Casts the rays of tiles, one after the other. */
struct TileCaster {
  const CameraModel& camera;
  const Instance* instances;
  int instance_count;
  HitKey* keys;
  SlabScale scale;
  bool tests_all_rays;
  unsigned long long tests = 0; ///< of rays and triangles

  /** \brief Casts the rays of a tile: algorithm 1 of the paper, with an exact end.
   * \param[in,out] entries the tile's list; is sorted by slab
   */
  void
  cast(const PixelRectangle& tile, const Grid& grid, TileEntry* entries, TileEntry* end)
  {
    for (unsigned int i = 0; i < grid.wide_count; ++i)
      if (overlap(grid.wide[i].pixels, tile))
        test(tile, grid.wide[i].id, 0);
    std::sort(entries, end, [&](const TileEntry& a, const TileEntry& b) {
      return slabOf(scale, a.least_z) < slabOf(scale, b.least_z);
    });
    int slab = -1;
    for (const TileEntry* entry = entries; entry < end; ++entry) {
      const int next = slabOf(scale, entry->least_z);
      if (next != slab && isDone(tile, next))
        return;
      slab = next;
      test(tile, entry->id, slab);
    }
  }

  HitKey&
  keyAt(int x, int y)
  {
    return keys[static_cast<std::size_t>(y) * camera.width + x];
  }

  /** \brief The slab of a ray's hit: later ones cannot hold a nearer one. */
  int
  hitSlab(HitKey key) const
  {
    return key == no_hit ? scale.slabs : slabOf(scale, depthOf(key));
  }

  bool
  isDone(const PixelRectangle& tile, int slab)
  {
    for (int y = tile.first_y; y <= tile.last_y; ++y)
      for (int x = tile.first_x; x <= tile.last_x; ++x)
        if (hitSlab(keyAt(x, y)) >= slab)
          return false;
    return true;
  }

  void
  test(const PixelRectangle& tile, std::uint32_t id, int slab)
  {
    const Instance& instance = instances[findInstance(instances, instance_count, id)];
    Triangle triangle{};
    loadTriangleOf(instance, id, triangle);
    // The paper's rays are all tested; they are spared only if nothing counts them.
    if (!tests_all_rays && !mayHitWithin(camera, tile, triangle))
      return;
    for (int y = tile.first_y; y <= tile.last_y; ++y)
      for (int x = tile.first_x; x <= tile.last_x; ++x) {
        HitKey& nearest = keyAt(x, y);
        if (slab > hitSlab(nearest))
          continue;
        ++tests;
        TriangleHit hit;
        if (hitsTriangle(camera, pixelSlopes(camera, x, y), triangle, hit))
          nearest = std::min(nearest, hitKey(hit.t, id));
      }
  }
};

} // namespace

CastMemorySize
tileGridMemory(const CastTask& task)
{
  return {pixelsOfViews(task), 0, Grid(task, nullptr).bytes};
}

void
castTileGrid(const CastTask& task)
{
  const GridLayout& layout = task.layout;
  const int tiles = layout.tiles_x * layout.tiles_y;
  unsigned long long tests = 0;
  for (int v = 0; v < task.view_count; ++v) {
    Grid grid(task, task.scratch);
    DepthBits depths{};
    for (int i = 0; i < task.instance_count; ++i)
      placeTriangles(
          layout, task.views[v].camera, task.instancesOf(v)[i], grid.places, depths);
    endStage(task, "split");
    fillTiles(layout, sceneTriangles(task), grid);
    endStage(task, "build");
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : tests)
    for (int tile = 0; tile < tiles; ++tile) {
      TileCaster caster{task.views[v].camera,
                        task.instancesOf(v),
                        task.instance_count,
                        task.keys + v * task.pixelsOfView(),
                        slabScale(layout, depths),
                        task.tests != nullptr};
      const unsigned int start = tile > 0 ? grid.tile_ends[tile - 1] : 0u;
      caster.cast(pixelsOfTile(layout,
                               task.views[v].camera,
                               tile % layout.tiles_x,
                               tile / layout.tiles_x),
                  grid,
                  grid.entries + std::min(start, grid.capacity),
                  grid.entries + std::min(grid.tile_ends[tile], grid.capacity));
      tests += caster.tests;
    }
    endStage(task, "cast");
  }
  if (task.tests)
    *task.tests += tests;
  resolve(task);
  endStage(task, "images");
}

} // namespace pcl::device::host

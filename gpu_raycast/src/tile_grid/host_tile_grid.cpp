// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tile_grid/lists.hpp"
#include "tile_grid/tile_grid.h"

#include <algorithm>
#include <numeric>

namespace pcl::device::host {

namespace {

/** \brief Calls function(tile) for each tile of a place. */
template <typename Function>
void
forTiles(const GridLayout& layout, const GridPlace& place, const Function& function)
{
  for (int y = place.first_y; y <= place.last_y; ++y)
    for (int x = place.first_x; x <= place.last_x; ++x)
      function(y * layout.tiles_x + x);
}

/** \brief Finds the place of each triangle of an instance. */
void
placeTriangles(const CameraModel& camera,
               const Instance& instance,
               const TileGrid& grid)
{
  std::uint32_t least_inverted = grid.sums->depths.least_inverted;
  std::uint32_t most = grid.sums->depths.most;
#pragma omp parallel for reduction(max : least_inverted, most)
  for (int i = 0; i < instance.mesh.triangles_size; ++i) {
    const std::uint32_t id = instance.first_triangle + i;
    PixelRectangle pixels;
    const GridPlace place = placeTriangle(grid.layout, camera, instance, id, pixels);
    if (place.least_z > camera.nearest) {
      least_inverted = std::max(least_inverted, ~bitsOf(place.least_z));
      most = std::max(most, bitsOf(place.least_z));
    }
    grid.placeOfTriangle(id) = place;
  }
  grid.sums->depths = {least_inverted, most};
}

/** \brief Puts each triangle into the lists of its tiles, in the order of their ids. */
void
fillTiles(std::uint32_t triangles, const TileGrid& grid)
{
  const GridLayout& layout = grid.layout;
  const std::uint32_t end_id = grid.first_id + triangles;
  const auto addWide = [&](std::uint32_t id) {
    const GridPlace& place = grid.placeOfTriangle(id);
    grid.wide[grid.sums->wide_count++] = {id, pixelsOf(layout, place)};
  };
  for (std::uint32_t id = grid.first_id; id < end_id; ++id) {
    GridPlace& place = grid.placeOfTriangle(id);
    if (tileCount(place) > max_tiles_of_triangle) {
      addWide(id);
      place = no_place;
    }
    forTiles(layout, place, [&](int tile) { ++grid.tile_ends[tile]; });
  }
  std::exclusive_scan(grid.tile_ends,
                      grid.tile_ends + grid.tiles(),
                      grid.tile_ends,
                      0u,
                      SumWithinRoom{grid.capacity});
  for (std::uint32_t id = grid.first_id; id < end_id; ++id) {
    const GridPlace& place = grid.placeOfTriangle(id);
    bool fits = true;
    forTiles(layout, place, [&](int tile) {
      const unsigned int slot = grid.tile_ends[tile]++;
      if (slot < grid.capacity)
        grid.entries[slot] = {id, place.least_z};
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
  cast(const PixelRectangle& tile,
       const TileGrid& grid,
       TileEntry* entries,
       TileEntry* end)
  {
    for (std::uint32_t i = 0; i < grid.sums->wide_count; ++i)
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
    loadTriangle(instance, id, triangle);
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
  ScratchPieces pieces(nullptr);
  takeTileGrid(pieces, task.layout, firstTriangle(task), sceneTriangles(task));
  return {pixelsOfViews(task), 0, pieces.bytes()};
}

void
castTileGrid(const CastTask& task)
{
  const GridLayout& layout = task.layout;
  unsigned long long tests = 0;
  ScratchPieces pieces(task.scratch);
  const TileGrid grid =
      takeTileGrid(pieces, layout, firstTriangle(task), sceneTriangles(task));
  for (int v = 0; v < task.view_count; ++v) {
    const CameraModel& camera = task.views[v].camera;
    *grid.sums = {};
    std::fill_n(grid.tile_ends, grid.tiles(), 0u);
    for (int i = 0; i < task.instance_count; ++i)
      placeTriangles(camera, task.instancesOf(v)[i], grid);
    endStage(task, "split");
    fillTiles(sceneTriangles(task), grid);
    endStage(task, "build");
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : tests)
    for (int tile = 0; tile < grid.tiles(); ++tile) {
      TileCaster caster{camera,
                        task.instancesOf(v),
                        task.instance_count,
                        task.keysOfRow(task.firstRow(v)),
                        slabScale(layout, grid.sums->depths),
                        task.tests != nullptr};
      const ListRange list = listOf(grid.tile_ends, tile, grid.capacity);
      caster.cast(
          pixelsOfTile(layout, camera, tile % layout.tiles_x, tile / layout.tiles_x),
          grid,
          grid.entries + list.first,
          grid.entries + list.end);
      tests += caster.tests;
    }
    endStage(task, "cast");
  }
  if (task.tests)
    *task.tests += tests;
  if (!task.leaves_keys)
    resolve(task);
}

} // namespace pcl::device::host

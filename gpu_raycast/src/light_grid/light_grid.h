// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid/light_grid.hpp"
#include "shading/shading_scene.hpp"
#include "tile_grid/lists.hpp"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <algorithm>
#include <cstddef>

struct CUstream_st;

// The lists of triangles of a light grid's cells, one after the other: triangles count
// for each cell, a sum over the counts gives the lists' beginnings, and triangles put
// themselves into them. Lists have no order: the answer does not depend on it.

namespace pcl::device {

/** \brief Counts of a grid. Zero before it is made. */
struct LightGridCounts {
  std::uint32_t everywhere; ///< triangles that all rays test
  std::uint32_t ticket;     ///< of the blocks of a kernel
  std::uint32_t entries; ///< of all cells but the last, or as many as there is room for
  unsigned long long squares; ///< the same, of their squares
};

/** \brief A light's grid and its lists. All arrays live on the device. */
struct LightGridLists {
  LightGrid* grid;
  LightGridCounts* counts;
  /** \brief For each cell the number of its entries, then its first, then the end of
   * its last. */
  std::uint32_t* ends;
  std::uint32_t cells;
  LightEntry* entries;
  std::uint32_t capacity;    ///< of entries
  std::uint32_t* everywhere; ///< triangles that all rays test; there is room for all
  Box* boxes;                ///< of the blocks of a kernel, in any state
  char* scan;                ///< for adding up counts, in any state
  std::size_t scan_bytes;
};

/** \brief Returns whether shadow rays to a light can use a grid: they run to one point,
 * or all in one direction. */
inline bool
hasGrid(const LightSource& light, std::size_t triangles)
{
  // Entries are numbered in 32 bits.
  return !light.is_spread && isUsable(light.position) &&
         triangles <= std::size_t(1) << 29;
}

PCL_GPU_HOST_DEVICE GridLight
gridLight(const LightSource& light)
{
  return {light.position, light.shape == LightShape::Directional};
}

/** \brief The entries that there is room for. */
inline std::uint32_t
lightGridCapacity(std::size_t triangles)
{
  return static_cast<std::uint32_t>(4 * triangles + (std::size_t(1) << 20));
}

/** \brief Returns whether a hierarchy is the faster way: few cells have most of the
 * entries, or many triangles are tested by all rays. */
inline bool
isCrowded(const LightGridCounts& counts, std::size_t triangles)
{
  constexpr std::uint32_t most_everywhere = 64;
  constexpr std::uint64_t most_of_cell = 200;
  return counts.everywhere > most_everywhere ||
         counts.squares > most_of_cell * counts.entries ||
         counts.entries >= lightGridCapacity(triangles);
}

/** \brief The cells that all faces share. */
inline std::uint32_t
lightGridCells(std::size_t triangles)
{
  // A list of more triangles takes longer to look through; more cells, longer to fill.
  constexpr std::size_t triangles_per_cell = 8;
  return static_cast<std::uint32_t>(std::min<std::size_t>(
      std::max<std::size_t>(triangles / triangles_per_cell, 1024), 1u << 24));
}

/** \brief Cuts the memory of a grid into its arrays.
 * \param[in] scan_bytes those of lightGridScanBytes()
 */
inline LightGridLists
takeLightGrid(ScratchPieces& pieces, std::size_t triangles, std::size_t scan_bytes)
{
  LightGridLists lists{};
  lists.cells = lightGridCells(triangles);
  lists.capacity = lightGridCapacity(triangles);
  lists.grid = pieces.take<LightGrid>(1);
  lists.counts = pieces.take<LightGridCounts>(1);
  lists.ends = pieces.take<std::uint32_t>(lists.cells);
  lists.entries = pieces.take<LightEntry>(lists.capacity);
  lists.everywhere = pieces.take<std::uint32_t>(triangles);
  lists.boxes = pieces.take<Box>(most_partial_boxes);
  lists.scan = pieces.take<char>(scan_bytes);
  lists.scan_bytes = scan_bytes;
  return lists;
}

/** \brief Returns whether a triangle touches so many cells that each ray tests it as
 * well. */
PCL_GPU_HOST_DEVICE bool
isEverywhere(const LightGridLists& lists, const CellRectangle& cells)
{
  return cellCount(cells) > lists.cells / 32;
}

/** \brief A triangle that casts shadows.
 * \return false if it does not, or is invisible
 */
PCL_GPU_HOST_DEVICE bool
loadOccluder(const ShadingScene& scene, std::uint32_t id, Triangle& triangle)
{
  const WorldTriangles& world = scene.world;
  if (id >= world.count)
    return false;
  const int number = findInstance(world.instances, world.instance_count, id);
  return scene.materials[number].casts_shadow &&
         loadIfExists(world.instances[number], id, triangle);
}

/** \brief Returns whether a triangle of a list is hit between a ray's bounds. */
PCL_GPU_HOST_DEVICE bool
isHitByRay(const ShadingScene& scene, const RayFrame& frame, std::uint32_t id)
{
  const WorldTriangles& world = scene.world;
  const int number = findInstance(world.instances, world.instance_count, id);
  Triangle triangle{};
  // Triangles in a list are visible and cast shadows.
  loadTriangle(world.instances[number], id, triangle);
  TriangleHit hit;
  return hitsTriangle(frame, triangle, Culling::None, hit);
}

/** \brief Returns whether something hides the light of a grid. The same as
 * isOccluded().
 * \param[in] ray from a point of a triangle to the light
 */
inline bool
isOccludedFromLight(const LightGridLists& lists,
                    const ShadingScene& scene,
                    const Ray& ray)
{
  RayFrame frame;
  if (!makeRayFrame(ray, frame))
    return false;
  for (std::uint32_t i = 0; i < lists.counts->everywhere; ++i)
    if (isHitByRay(scene, frame, lists.everywhere[i]))
      return true;
  const RayPlace place = placeOfRay(*lists.grid, frame, ray.origin);
  const ListRange range = listOf(lists.ends, place.cell, lists.capacity);
  for (std::uint32_t i = range.first; i < range.end; ++i)
    if (mayHit(lists.entries[i], place) &&
        isHitByRay(scene, frame, lists.entries[i].id))
      return true;
  return false;
}

/** \brief The grid of a light to make; see hasGrid(). */
struct LightGridTask {
  ShadingScene scene;
  int light; ///< its number in the scene
  LightGridLists lists;
  LightGridCounts*
      counts; ///< on the host, for CUDA page-locked; written when it is made
};

namespace host {

/** \brief Returns the bytes that makeLightGrid() takes to add up counts. */
std::size_t
lightGridScanBytes(std::size_t triangles);

void
makeLightGrid(const LightGridTask& task);

} // namespace host

namespace cuda {

std::size_t
lightGridScanBytes(std::size_t triangles);

void
makeLightGrid(const LightGridTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

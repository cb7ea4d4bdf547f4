// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid.hpp"
#include "scratch_pieces.hpp"
#include "shading_scene.hpp"

// The lists of triangles of a light grid's cells, one after the other: triangles count for
// each cell, a sum over the counts says where the lists begin, and triangles put themselves
// into them. The order within a list is any; whether a list has a triangle that hides the
// light does not depend on it.

namespace pcl {
namespace device {

/** \brief How far arrays are used. Zero before a grid is made. */
struct LightGridCounts {
  std::uint32_t everywhere;
  std::uint32_t ticket; ///< of the blocks of a kernel
};

/** \brief A light's grid and its lists. All arrays live on the device. */
struct LightGridLists {
  LightGrid* grid;
  LightGridCounts* counts;
  /** \brief Of each cell its number of entries, then its first, then behind its last. */
  std::uint32_t* ends;
  std::uint32_t cells;
  LightEntry* entries;
  std::uint32_t capacity;    ///< of entries
  std::uint32_t* everywhere; ///< triangles that all rays test; there is room for all
  Box* boxes;                ///< as many as the driver asks for, in any state
};

/** \brief Whether shadow rays to a light can use a grid: they run to one point, or all in
 * one direction. */
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

/** \brief Cuts the memory of a grid into its arrays.
 * \param[in] boxes number of them
 */
inline LightGridLists
takeLightGrid(ScratchPieces& pieces, std::size_t triangles, std::size_t boxes)
{
  LightGridLists lists{};
  // A list of more triangles takes longer to look through; more cells, longer to fill.
  lists.cells = 1024;
  while (lists.cells < (1u << 24) && lists.cells < triangles / 16)
    lists.cells *= 2;
  lists.capacity = static_cast<std::uint32_t>(4 * triangles + (std::size_t(1) << 20));
  lists.grid = pieces.take<LightGrid>(1);
  lists.counts = pieces.take<LightGridCounts>(1);
  lists.ends = pieces.take<std::uint32_t>(lists.cells);
  lists.entries = pieces.take<LightEntry>(lists.capacity);
  lists.everywhere = pieces.take<std::uint32_t>(triangles);
  lists.boxes = pieces.take<Box>(boxes);
  return lists;
}

/** \brief Whether a triangle touches so many cells that each ray tests it as well. */
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
  if (id >= scene.triangle_count)
    return false;
  const int number = findInstance(scene.instances, scene.instance_count, id);
  const Instance& instance = scene.instances[number];
  const int triangle_number = static_cast<int>(id - instance.first_triangle);
  return scene.materials[number].casts_shadow &&
         triangle_number < triangleCount(instance.mesh) &&
         loadTriangle(instance.mesh, instance.transform, triangle_number, triangle);
}

/** \brief Whether a triangle that casts shadows is hit between a ray's bounds. */
PCL_GPU_HOST_DEVICE bool
isHitByRay(const ShadingScene& scene, const RayFrame& frame, std::uint32_t id)
{
  Triangle triangle;
  TriangleHit hit;
  return loadOccluder(scene, id, triangle) &&
         hitsTriangle(frame, triangle, HitSides::Both, hit);
}

/** \brief Whether something hides the light of a grid. The same as isOccluded().
 * \param[in] ray from a point of a triangle to the light
 */
PCL_GPU_HOST_DEVICE bool
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
  const int face = faceOf(frame);
  const RayPlace place = placeOfRay(lists.grid->faces[face], face, frame, ray.origin);
  const std::uint32_t end = lists.ends[place.cell];
  std::uint32_t i = place.cell == 0 ? 0 : lists.ends[place.cell - 1];
  for (; i < end && i < lists.capacity; ++i) {
    const LightEntry entry = lists.entries[i];
    if (mayHit(entry, place) && isHitByRay(scene, frame, entry.id))
      return true;
  }
  return false;
}

} // namespace device
} // namespace pcl

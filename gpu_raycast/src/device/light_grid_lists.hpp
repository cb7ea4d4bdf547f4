// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid.hpp"
#include "scratch_pieces.hpp"
#include "shading_scene.hpp"

// The triangles of the cells of a light grid, as linked lists: one pass over the triangles
// makes them, without counting first. The order within a list is any; whether a list has a
// triangle that hides the light does not depend on it.

namespace pcl {
namespace device {

/** \brief A triangle in the list of a cell. */
struct LightEntry {
  std::uint32_t next;
  float least_depth; ///< see CellRectangle
};

constexpr std::uint32_t end_of_list = 0xffffffffu;

/** \brief Entries that each triangle has for itself; what it needs more is shared. */
constexpr std::uint32_t own_entries = 4;

/** \brief How far arrays are used. Zero before a grid is made. */
struct LightGridCounts {
  std::uint32_t shared_entries; ///< may be more than there is room for
  std::uint32_t large, everywhere;
  std::uint32_t ticket; ///< of the blocks of a kernel
};

/** \brief A light's grid and its lists. All arrays live on the device. */
struct LightGridLists {
  LightGrid* grid;
  std::uint32_t* heads; ///< one a cell, end_of_list before a grid is made
  std::uint32_t cells;
  LightEntry* entries;       ///< own_entries a triangle, then those that are shared
  std::uint32_t* shared_ids; ///< triangle of each entry that is shared
  std::uint32_t shared_capacity;
  std::uint32_t* large;      ///< triangles that need shared entries
  std::uint32_t* everywhere; ///< triangles that all rays test, some of them twice
  LightGridCounts* counts;
  Box* boxes; ///< as many as the driver asks for, in any state
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

/** \brief Cuts the memory of a grid into its arrays.
 * \param[in] boxes number of them
 */
inline LightGridLists
takeLightGrid(ScratchPieces& pieces, std::size_t triangles, std::size_t boxes)
{
  LightGridLists lists{};
  lists.cells = 1024;
  while (lists.cells < (1u << 22) && lists.cells < triangles / 4)
    lists.cells *= 2;
  lists.shared_capacity =
      static_cast<std::uint32_t>(triangles + (std::size_t(1) << 20));
  lists.grid = pieces.take<LightGrid>(1);
  lists.heads = pieces.take<std::uint32_t>(lists.cells);
  lists.entries =
      pieces.take<LightEntry>(own_entries * triangles + lists.shared_capacity);
  lists.shared_ids = pieces.take<std::uint32_t>(lists.shared_capacity);
  lists.large = pieces.take<std::uint32_t>(triangles);
  lists.everywhere = pieces.take<std::uint32_t>(2 * triangles);
  lists.counts = pieces.take<LightGridCounts>(1);
  lists.boxes = pieces.take<Box>(boxes);
  return lists;
}

/** \brief The light of a grid. */
PCL_GPU_HOST_DEVICE GridLight
gridLight(const LightSource& light)
{
  return {light.position, light.shape == LightShape::Directional};
}

/** \brief Adds a number that other threads add to as well.
 * \return what it was before
 */
PCL_GPU_HOST_DEVICE std::uint32_t
addAtomically(std::uint32_t& sum, std::uint32_t number)
{
#if defined(__CUDA_ARCH__)
  return atomicAdd(&sum, number);
#else
  return __atomic_fetch_add(&sum, number, __ATOMIC_RELAXED);
#endif
}

/** \brief Puts an entry in front of a cell's list. */
PCL_GPU_HOST_DEVICE void
link(const LightGridLists& lists,
     std::uint32_t cell,
     std::uint32_t number,
     float least_depth)
{
#if defined(__CUDA_ARCH__)
  const std::uint32_t next = atomicExch(lists.heads + cell, number);
#else
  const std::uint32_t next =
      __atomic_exchange_n(lists.heads + cell, number, __ATOMIC_RELAXED);
#endif
  lists.entries[number] = {next, least_depth};
}

/** \brief Takes entries from those that are shared.
 * \return the first; shared_capacity if there are not as many left
 */
PCL_GPU_HOST_DEVICE std::uint32_t
takeSharedEntries(const LightGridLists& lists, std::uint32_t count)
{
  // Looked at before, so that the number does not come round again.
  if (lists.counts->shared_entries >= lists.shared_capacity)
    return lists.shared_capacity;
  const std::uint32_t first = addAtomically(lists.counts->shared_entries, count);
  return first < lists.shared_capacity && count <= lists.shared_capacity - first
             ? first
             : lists.shared_capacity;
}

/** \brief Whether a triangle touches so many cells that each ray tests it as well. */
PCL_GPU_HOST_DEVICE bool
isEverywhere(const LightGridLists& lists, std::uint32_t count)
{
  return count > lists.cells / 32;
}

/** \brief A triangle that casts shadows.
 * \return false if it does not, or is invisible
 */
PCL_GPU_HOST_DEVICE bool
loadOccluder(const ShadingScene& scene, std::uint32_t id, Triangle& triangle)
{
  const int number = findInstance(scene.instances, scene.instance_count, id);
  const Instance& instance = scene.instances[number];
  const int triangle_number = static_cast<int>(id - instance.first_triangle);
  return scene.materials[number].casts_shadow &&
         triangle_number < triangleCount(instance.mesh) &&
         loadTriangle(instance.mesh, instance.transform, triangle_number, triangle);
}

/** \brief What is left to do for a triangle. */
struct LeftToDo {
  bool large, everywhere;
};

/** \brief Puts a triangle into the lists of the cells that it touches, face by face, as far
 * as its own entries go. */
PCL_GPU_HOST_DEVICE LeftToDo
linkByOwnEntries(const LightGridLists& lists,
                 std::uint32_t id,
                 const Triangle& triangle)
{
  LeftToDo left = {false, false};
  std::uint32_t used = 0;
  for (int number = 0; number < light_faces; ++number) {
    CellRectangle cells;
    const LightSight sight = seeTriangle(*lists.grid, number, triangle, cells);
    left.everywhere |= sight == LightSight::Anywhere;
    if (sight != LightSight::Cells)
      continue;
    const std::uint32_t count = cellCount(cells);
    if (isEverywhere(lists, count))
      left.everywhere = true;
    else if (used + count > own_entries)
      left.large = true;
    else
      for (std::uint32_t i = 0; i < count; ++i)
        link(lists,
             cellOf(lists.grid->faces[number], cells, i),
             id * own_entries + used++,
             cells.least_depth);
  }
  return left;
}

/** \brief Puts a triangle into the lists that linkByOwnEntries() left out.
 *
 * Several threads may do so together.
 * \param[in] thread 0 to \a threads - 1
 * \param[in] take called by all threads with the number of entries that they need
 * together: takeSharedEntries(), once for all
 * \return false if entries have run out
 */
template <typename Take>
PCL_GPU_HOST_DEVICE bool
linkBySharedEntries(const LightGridLists& lists,
                    std::uint32_t triangles,
                    std::uint32_t id,
                    const Triangle& triangle,
                    std::uint32_t thread,
                    std::uint32_t threads,
                    const Take& take)
{
  std::uint32_t used = 0;
  for (int number = 0; number < light_faces; ++number) {
    CellRectangle cells;
    if (seeTriangle(*lists.grid, number, triangle, cells) != LightSight::Cells)
      continue;
    const std::uint32_t count = cellCount(cells);
    if (isEverywhere(lists, count))
      continue;
    if (used + count <= own_entries) {
      used += count;
      continue;
    }
    const std::uint32_t first = take(count);
    if (first == lists.shared_capacity)
      return false;
    for (std::uint32_t i = thread; i < count; i += threads) {
      lists.shared_ids[first + i] = id;
      link(lists,
           cellOf(lists.grid->faces[number], cells, i),
           triangles * own_entries + first + i,
           cells.least_depth);
    }
  }
  return true;
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
  const int number = faceOf(frame);
  const std::uint32_t cell =
      cellOfRay(lists.grid->faces[number], number, frame, ray.origin);
  const float depth = depthInFace(number, ray.origin);
  const std::uint32_t first_shared = scene.triangle_count * own_entries;
  std::uint32_t next;
  for (std::uint32_t i = lists.heads[cell]; i != end_of_list; i = next) {
    const LightEntry entry = lists.entries[i];
    next = entry.next;
    // What lies behind the ray's start, corner by corner, is behind it for any rounding.
    if (entry.least_depth > depth)
      continue;
    const std::uint32_t id =
        i < first_shared ? i / own_entries : lists.shared_ids[i - first_shared];
    if (isHitByRay(scene, frame, id))
      return true;
  }
  return false;
}

} // namespace device
} // namespace pcl

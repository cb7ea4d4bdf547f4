// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "light_grid/light_grid.h"

#include <algorithm>
#include <numeric>

namespace pcl::device::host {

namespace {

/** \brief Adds a number that other threads add to as well.
 * \return the number before
 */
std::uint32_t
addAtomically(std::uint32_t& sum, std::uint32_t number)
{
  return __atomic_fetch_add(&sum, number, __ATOMIC_RELAXED);
}

/** \brief Calls function(bounds) for all cells that a triangle is seen in.
 * \return whether that is all; else each ray must test the triangle
 */
template <typename Function>
bool
forCells(const LightGridLists& lists,
         const Triangle& triangle,
         const Function& function)
{
  const LightGrid& grid = *lists.grid;
  const int only = onlyFace(grid, triangle);
  bool all = true;
  for (int face = 0; face < light_faces; ++face) {
    SeenTriangle seen{};
    if (only >= 0 && face != only)
      continue;
    const LightSight sight = seeTriangle(grid, face, triangle, seen);
    const CellRectangle cells = cellsOf(seen);
    all &= sight != LightSight::Anywhere && !isEverywhere(lists, cells);
    if (sight != LightSight::Cells || isEverywhere(lists, cells))
      continue;
    for (int row = 0; row < cells.rows; ++row)
      for (int column = 0; column < cells.columns; ++column)
        function(boundsInCell(grid.faces[face],
                              seen,
                              cells.first_column + column,
                              cells.first_row + row));
  }
  return all;
}

/** \brief Counts a triangle in its cells, or puts it into their lists. */
PCL_GPU_FOR_EACH_PROCESSOR void
enterTriangle(const LightGridTask& task, std::uint32_t id, bool fills)
{
  const LightGridLists& lists = task.lists;
  Triangle triangle;
  if (!loadOccluder(task.scene, id, triangle))
    return;
  bool fits = true;
  const bool all = forCells(lists, triangle, [&](const CellBounds& at) {
    const std::uint32_t i = addAtomically(lists.ends[at.cell], 1);
    if (fills && i < lists.capacity)
      lists.entries[i] = {id, at.bounds};
    fits = fits && i < lists.capacity;
  });
  if (fills && !(all && fits))
    lists.everywhere[addAtomically(lists.counts->everywhere, 1)] = id;
}

} // namespace

std::size_t
lightGridScanBytes(std::size_t)
{
  return 0;
}

void
makeLightGrid(const LightGridTask& task)
{
  const WorldTriangles& world = task.scene.world;
  const LightGridLists& lists = task.lists;
  const GridLight light = gridLight(task.scene.lights[task.light]);
  const Box box = boxOfAll<includeTriangle>(world);
  FaceWindow windows[light_faces];
  for (int i = 0; i < light_faces; ++i)
    windows[i] = makeFace(light, i, box, lists.grid->faces[i]);
  shareCells(light, windows, lists.cells, *lists.grid);
  *lists.counts = {};
  std::fill_n(lists.ends, lists.cells, 0u);
#pragma omp parallel for schedule(static)
  for (std::uint32_t id = 0; id < world.count; ++id)
    enterTriangle(task, id, false);
  std::exclusive_scan(lists.ends,
                      lists.ends + lists.cells,
                      lists.ends,
                      0u,
                      SumWithinRoom{lists.capacity});
  LightGridCounts& counts = *lists.counts;
  for (std::uint32_t cell = 0; cell + 1 < lists.cells; ++cell) {
    const unsigned long long length = lists.ends[cell + 1] - lists.ends[cell];
    counts.squares += length * length;
  }
  counts.entries = lists.ends[lists.cells - 1];
#pragma omp parallel for schedule(static)
  for (std::uint32_t id = 0; id < world.count; ++id)
    enterTriangle(task, id, true);
  *task.counts = counts;
}

} // namespace pcl::device::host

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "processor_clones.h"
#include "render_driver.h"

#include <algorithm>
#include <numeric>

namespace pcl::device {

namespace {

PCL_GPU_FOR_EACH_PROCESSOR void
testShadowsOfRowByHierarchy(const RenderTask& task, int y, int light)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    testShadowsByHierarchy(task, x, y, light);
}

PCL_GPU_FOR_EACH_PROCESSOR void
testShadowsOfRowByGrid(const RenderTask& task,
                       const LightGridLists& lists,
                       int y,
                       int light)
{
  for (int x = 0; x < task.view.camera.width; ++x) {
    Ray ray;
    const bool is_lit = shadowRayOfPixel(task, x, y, light, ray) &&
                        !isOccludedFromLight(lists, task.scene, ray);
    visibleSamples(task, x, y, light) = is_lit ? 1 : 0;
  }
}

PCL_GPU_FOR_EACH_PROCESSOR void
occludeRowByRays(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    occludeByRays(task, x, y);
}

PCL_GPU_FOR_EACH_PROCESSOR void
occludeRowInImage(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    occludeInImage(task, x, y);
}

PCL_GPU_FOR_EACH_PROCESSOR void
shadeRow(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    shadePixel<false>(task, x, y);
}

PCL_GPU_FOR_EACH_PROCESSOR void
shadeRowWithBounces(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    shadePixel<true>(task, x, y);
}

/** \brief Calls a function for all rows, which differ in what they cost. */
template <typename Function>
void
forEachRow(const RenderTask& task, const Function& function)
{
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < task.view.camera.height; ++y)
    function(y);
}

/** \brief Adds a number that other threads add to as well.
 * \return what it was before
 */
std::uint32_t
addAtomically(std::uint32_t& sum, std::uint32_t number)
{
  return __atomic_fetch_add(&sum, number, __ATOMIC_RELAXED);
}

/** \brief Calls function(cell, bounds) for all cells that a triangle is seen in.
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
        forCell(grid.faces[face],
                seen,
                cells.first_column + column,
                cells.first_row + row,
                function);
  }
  return all;
}

PCL_GPU_FOR_EACH_PROCESSOR void
countCells(const LightGridLists& lists, const ShadingScene& scene, std::uint32_t id)
{
  Triangle triangle;
  if (loadOccluder(scene, id, triangle))
    forCells(lists, triangle, [&](std::uint32_t cell, std::uint32_t) {
      addAtomically(lists.ends[cell], 1);
    });
}

PCL_GPU_FOR_EACH_PROCESSOR void
fillCells(const LightGridLists& lists, const ShadingScene& scene, std::uint32_t id)
{
  Triangle triangle;
  if (!loadOccluder(scene, id, triangle))
    return;
  bool fits = true;
  const bool all =
      forCells(lists, triangle, [&](std::uint32_t cell, std::uint32_t bounds) {
        const std::uint32_t i = addAtomically(lists.ends[cell], 1);
        if (i < lists.capacity)
          lists.entries[i] = {id, bounds};
        else
          fits = false;
      });
  if (!all || !fits)
    lists.everywhere[addAtomically(lists.counts->everywhere, 1)] = id;
}

Box
boxOfAll(const ShadingScene& scene)
{
  const WorldTriangles world = {
      scene.instances, scene.instance_count, scene.triangle_count};
  Box box = emptyBox();
#pragma omp parallel
  {
    Box own = emptyBox();
#pragma omp for schedule(static) nowait
    for (std::uint32_t id = 0; id < world.count; ++id)
      includeTriangle(own, world, id);
#pragma omp critical
    include(box, own);
  }
  return box;
}

void
makeGrid(const LightGridLists& lists, const ShadingScene& scene, const GridLight& light)
{
  const Box box = boxOfAll(scene);
  FaceWindows windows;
  for (int i = 0; i < light_faces; ++i)
    windows.of[i] = makeFace(light, i, box, lists.grid->faces[i]);
  shareCells(light, windows, lists.cells, *lists.grid);
  *lists.counts = {};
  std::fill_n(lists.ends, lists.cells, 0u);
#pragma omp parallel for schedule(static)
  for (std::uint32_t id = 0; id < scene.triangle_count; ++id)
    countCells(lists, scene, id);
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
  for (std::uint32_t id = 0; id < scene.triangle_count; ++id)
    fillCells(lists, scene, id);
}

class HostRenderDriver : public RenderDriver {
public:
  void
  testShadowsByHierarchy(const RenderTask& task, int light, Queue) const override
  {
    forEachRow(task, [&](int y) { testShadowsOfRowByHierarchy(task, y, light); });
  }

  std::size_t
  lightGridBytes(std::size_t triangles) const override
  {
    ScratchPieces pieces(nullptr);
    takeLightGrid(pieces, triangles, 0);
    return pieces.bytes();
  }

  std::shared_ptr<LightGridCounts>
  newLightGridCounts(std::size_t number) const override
  {
    return {new LightGridCounts[number], std::default_delete<LightGridCounts[]>()};
  }

  void
  makeLightGrid(const RenderTask& task,
                int light,
                void* scratch,
                LightGridCounts* counts,
                Queue) const override
  {
    ScratchPieces pieces(scratch);
    const LightGridLists lists = takeLightGrid(pieces, task.scene.triangle_count, 0);
    makeGrid(lists, task.scene, gridLight(task.scene.lights[light]));
    *counts = *lists.counts;
  }

  void
  testShadowsByGrid(const RenderTask& task,
                    int light,
                    void* scratch,
                    Queue) const override
  {
    ScratchPieces pieces(scratch);
    const LightGridLists lists = takeLightGrid(pieces, task.scene.triangle_count, 0);
    forEachRow(task, [&](int y) { testShadowsOfRowByGrid(task, lists, y, light); });
  }

  void
  occludeAmbientLight(const RenderTask& task, Queue) const override
  {
    const bool by_rays = task.occlusion.method == AmbientOcclusion::Rays;
    const auto occlude = by_rays ? &occludeRowByRays : &occludeRowInImage;
    forEachRow(task, [&](int y) { occlude(task, y); });
  }

  void
  shade(const RenderTask& task, bool bounces, Queue) const override
  {
    const auto shade = bounces ? &shadeRowWithBounces : &shadeRow;
    forEachRow(task, [&](int y) { shade(task, y); });
  }
};

} // namespace

const RenderDriver&
hostRenderDriver()
{
  static const HostRenderDriver driver;
  return driver;
}

} // namespace pcl::device

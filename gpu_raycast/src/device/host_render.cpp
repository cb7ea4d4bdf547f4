// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "processor_clones.h"
#include "render_driver.h"

#include <algorithm>

namespace pcl {
namespace device {

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
  for (int x = 0; x < task.view.camera.width; ++x)
    testShadowsByGrid(task, lists, x, y, light);
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

/** \brief Adds a triangle to a list that other threads add to as well. */
void
append(std::uint32_t* list, std::uint32_t& count, std::uint32_t id)
{
  list[addAtomically(count, 1)] = id;
}

PCL_GPU_FOR_EACH_PROCESSOR void
linkTriangle(const LightGridLists& lists, const ShadingScene& scene, std::uint32_t id)
{
  Triangle triangle;
  if (!loadOccluder(scene, id, triangle))
    return;
  const LeftToDo left = linkByOwnEntries(lists, id, triangle);
  const auto take = [&](std::uint32_t count) {
    return takeSharedEntries(lists, count);
  };
  const bool fits =
      !left.large ||
      linkBySharedEntries(lists, scene.triangle_count, id, triangle, 0, 1, take);
  if (left.everywhere || !fits)
    append(lists.everywhere, lists.counts->everywhere, id);
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
  lists.grid->is_directional = light.is_directional;
  shareCells(windows, lists.cells, *lists.grid);
  *lists.counts = {};
  std::fill_n(lists.heads, lists.cells, end_of_list);
#pragma omp parallel for schedule(static)
  for (std::uint32_t id = 0; id < scene.triangle_count; ++id)
    linkTriangle(lists, scene, id);
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

  void
  testShadowsByGrid(const RenderTask& task,
                    int light,
                    void* scratch,
                    Queue) const override
  {
    ScratchPieces pieces(scratch);
    const LightGridLists lists = takeLightGrid(pieces, task.scene.triangle_count, 0);
    makeGrid(lists, task.scene, gridLight(task.scene.lights[light]));
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

} // namespace device
} // namespace pcl

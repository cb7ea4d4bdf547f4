// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_trace.hpp"
#include "light_grid/light_grid.h"
#include "shading/render.hpp"

namespace pcl::device::host {

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

/** \brief Calls a function for all rows, which differ in cost. */
template <typename Function>
void
forEachRow(const RenderTask& task, const Function& function)
{
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < task.view.camera.height; ++y)
    function(y);
}

} // namespace

void
testShadows(const ShadowTask& task)
{
  const RenderTask& picture = task.picture;
  if (!task.grid)
    return forEachRow(
        picture, [&](int y) { testShadowsOfRowByHierarchy(picture, y, task.light); });
  const LightGridLists lists = lightGridIn(task.grid, picture.scene.triangle_count);
  forEachRow(picture,
             [&](int y) { testShadowsOfRowByGrid(picture, lists, y, task.light); });
}

void
occludeAmbientLight(const RenderTask& task)
{
  const bool by_rays = task.occlusion.method == AmbientOcclusion::Rays;
  const auto occlude = by_rays ? &occludeRowByRays : &occludeRowInImage;
  forEachRow(task, [&](int y) { occlude(task, y); });
}

void
shade(const RenderTask& task)
{
  const auto shade = task.has_bounces ? &shadeRowWithBounces : &shadeRow;
  forEachRow(task, [&](int y) { shade(task, y); });
}

} // namespace pcl::device::host

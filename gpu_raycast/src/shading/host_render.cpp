// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_trace.hpp"
#include "shading/render.hpp"

namespace pcl::device::host {

namespace {

void
testShadowsByGrid(const RenderTask& task, int x, int y)
{
  Ray ray;
  const bool is_lit = shadowRayOfPixel(task, x, y, ray) &&
                      !isOccludedFromLight(task.grid, task.scene, ray);
  visibleSamples(task, x, y, task.light) = is_lit ? 1 : 0;
}

PCL_GPU_FOR_EACH_PROCESSOR void
testShadowsOfRow(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    if (task.grid.grid)
      testShadowsByGrid(task, x, y);
    else
      testShadowsByHierarchy(task, x, y);
}

PCL_GPU_FOR_EACH_PROCESSOR void
occludeRow(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    if (task.occlusion.by_rays)
      occludeByRays(task, x, y);
    else
      occludeInImage(task, x, y);
}

PCL_GPU_FOR_EACH_PROCESSOR void
shadeRow(const RenderTask& task, int y)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    if (task.has_bounces)
      shadePixel<true>(task, x, y);
    else
      shadePixel<false>(task, x, y);
}

/** \brief Makes all rows, which differ in cost. */
void
makeRows(const RenderTask& task, void (*makeRow)(const RenderTask& task, int y))
{
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < task.view.camera.height; ++y)
    makeRow(task, y);
}

} // namespace

void
testShadows(const RenderTask& task)
{
  makeRows(task, &testShadowsOfRow);
}

void
occludeAmbientLight(const RenderTask& task)
{
  makeRows(task, &occludeRow);
}

void
shade(const RenderTask& task)
{
  makeRows(task, &shadeRow);
}

} // namespace pcl::device::host

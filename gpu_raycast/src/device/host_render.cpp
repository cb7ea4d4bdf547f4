// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "processor_clones.h"
#include "render_driver.h"

namespace pcl {
namespace device {

namespace {

PCL_GPU_FOR_EACH_PROCESSOR void
testShadowsOfRow(const RenderTask& task, int y, int light)
{
  for (int x = 0; x < task.view.camera.width; ++x)
    testShadows(task, x, y, light);
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

class HostRenderDriver : public RenderDriver {
public:
  void
  testShadows(const RenderTask& task, Queue) const override
  {
    for (int light = 0; light < task.scene.light_count; ++light)
      forEachRow(task, [&](int y) { testShadowsOfRow(task, y, light); });
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

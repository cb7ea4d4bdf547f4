// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "render_driver.h"

namespace pcl {
namespace device {

namespace {

/** \brief Calls a function for all pixels: function(x, y). Rows differ in what they cost. */
template <typename Function>
void
forEachPixel(const RenderTask& task, const Function& function)
{
  const CameraModel& camera = task.view.camera;
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < camera.height; ++y)
    for (int x = 0; x < camera.width; ++x)
      function(x, y);
}

class HostRenderDriver : public RenderDriver {
public:
  void
  testShadows(const RenderTask& task, Queue) const override
  {
    for (int light = 0; light < task.scene.light_count; ++light)
      forEachPixel(task, [&](int x, int y) { device::testShadows(task, x, y, light); });
  }

  void
  occludeAmbientLight(const RenderTask& task, Queue) const override
  {
    if (task.occlusion.method == AmbientOcclusion::Rays)
      forEachPixel(task, [&](int x, int y) { occludeByRays(task, x, y); });
    else
      forEachPixel(task, [&](int x, int y) { occludeInImage(task, x, y); });
  }

  void
  shade(const RenderTask& task, bool bounces, Queue) const override
  {
    if (bounces)
      forEachPixel(task, [&](int x, int y) { shadePixel<true>(task, x, y); });
    else
      forEachPixel(task, [&](int x, int y) { shadePixel<false>(task, x, y); });
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

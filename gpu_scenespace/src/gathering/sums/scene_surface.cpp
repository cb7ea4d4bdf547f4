// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sums/running_sums.h"

#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

struct SceneSurface::Buffers {
  RunningSums<device::LayerSum> sums;
};

void
SceneSurfaceParameters::validate() const
{
  checkEnumerator("surface choice", choice, SurfaceChoice::MostSeen);
  checkArgument(tolerance > 0.0f && tolerance < 1.0f,
                "tolerance of depths",
                tolerance,
                "a number above 0 and below 1");
  checkBetween("least support", least_support, 0.0f, 1.0f, "0 to 1");
  checkDeviation("sigma_pixel", sigma_pixel);
  frustum.validate();
}

void
SceneSurface::begin(const SceneView& view, const Stream& stream)
{
  buffers_.get().sums.begin(view, stream);
}

void
SceneSurface::add(const std::vector<SceneFrame::ConstPtr>& frames,
                  const std::vector<float>& weights,
                  const Stream& stream)
{
  Buffers& data = buffers_.get();
  device::LayerTask task{};
  task.gathering = data.sums.prepare(frames, weights, parameters_.frustum, stream);
  if (task.gathering.frame_count == 0)
    return;
  const PinholeCamera& camera = data.sums.view.camera;
  task.exponents.tangent_x = exponentOf(double(parameters_.sigma_pixel) / camera.fx);
  task.exponents.tangent_y = exponentOf(double(parameters_.sigma_pixel) / camera.fy);
  task.tolerance = parameters_.tolerance;
  task.sums = data.sums.sums;
  const ScopedDevice scope(data.sums.device);
  dispatch(data.sums.device, PCL_GPU_BOTH(addToLayers), task, stream);
}

void
SceneSurface::finish(DeviceArray2D<float>& depth, const Stream& stream)
{
  Buffers& data = buffers_.get();
  data.sums.checkBegun();
  const Device& device = data.sums.device;
  const ScopedDevice scope(device);
  const PinholeCamera& camera = data.sums.view.camera;
  createOn(device, depth, camera.height, camera.width);
  const device::ChooseLayer choice{data.sums.sums,
                                   camera.width,
                                   device::least_weight,
                                   parameters_.least_support,
                                   parameters_.choice == SurfaceChoice::MostSeen,
                                   outputView<float>(depth)};
  parallelFor2D(device, camera.width, camera.height, choice, stream);
}

} // namespace pcl::gpu

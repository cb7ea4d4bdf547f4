// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sums/running_sums.h"

#include <pcl/gpu/scenespace/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

class SceneSurface::Implementation {
public:
  SurfaceChoice choice = SurfaceChoice::Nearest;
  float tolerance = 0.03f, least_support = 0.15f, sigma_pixel = 0.7f;
  QueryFrustum frustum;
  RunningSums<device::LayerSum> sums;
};

SceneSurface::SceneSurface() : implementation_(std::make_unique<Implementation>()) {}

SceneSurface::~SceneSurface() = default;

SceneSurface::SceneSurface(SceneSurface&& other) noexcept = default;

SceneSurface&
SceneSurface::operator=(SceneSurface&& other) noexcept = default;

void
SceneSurface::setChoice(SurfaceChoice choice)
{
  checkEnumerator("surface choice", choice, SurfaceChoice::MostSeen);
  implementation_->choice = choice;
}

SurfaceChoice
SceneSurface::getChoice() const
{
  return implementation_->choice;
}

void
SceneSurface::setTolerance(float tolerance)
{
  checkArgument(tolerance > 0.0f && tolerance < 1.0f,
                "tolerance of depths",
                tolerance,
                "a number above 0 and below 1");
  implementation_->tolerance = tolerance;
}

float
SceneSurface::getTolerance() const
{
  return implementation_->tolerance;
}

void
SceneSurface::setLeastSupport(float support)
{
  checkArgument(support >= 0.0f && support <= 1.0f, "least support", support, "0 to 1");
  implementation_->least_support = support;
}

float
SceneSurface::getLeastSupport() const
{
  return implementation_->least_support;
}

void
SceneSurface::setSigmaPixel(float sigma)
{
  checkDeviation("sigma_pixel", sigma);
  implementation_->sigma_pixel = sigma;
}

float
SceneSurface::getSigmaPixel() const
{
  return implementation_->sigma_pixel;
}

void
SceneSurface::setFrustum(const QueryFrustum& frustum)
{
  frustum.validate();
  implementation_->frustum = frustum;
}

const QueryFrustum&
SceneSurface::getFrustum() const
{
  return implementation_->frustum;
}

void
SceneSurface::begin(const SceneView& view, const Stream& stream)
{
  implementation_->sums.begin(view, stream);
}

void
SceneSurface::add(const std::vector<SceneFrame::ConstPtr>& frames,
                  const std::vector<float>& weights,
                  const Stream& stream)
{
  Implementation& data = *implementation_;
  device::LayerTask task{};
  task.gathering = data.sums.prepare(frames, weights, data.frustum, stream);
  if (task.gathering.frame_count == 0)
    return;
  const PinholeCamera& camera = data.sums.view().camera;
  task.exponents.tangent_x = exponentOf(double(data.sigma_pixel) / camera.fx);
  task.exponents.tangent_y = exponentOf(double(data.sigma_pixel) / camera.fy);
  task.tolerance = data.tolerance;
  task.sums = data.sums.sums();
  const ScopedDevice scope(data.sums.device());
  dispatch(data.sums.device(),
           &device::host::addToLayers,
           PCL_GPU_CUDA_ONLY(device::cuda::addToLayers),
           task,
           stream);
}

void
SceneSurface::finish(DeviceArray2D<float>& depth, const Stream& stream)
{
  Implementation& data = *implementation_;
  data.sums.checkBegun();
  const Device& device = data.sums.device();
  const ScopedDevice scope(device);
  const PinholeCamera& camera = data.sums.view().camera;
  createOn(device, depth, camera.height, camera.width);
  device::ChooseLayer choice{};
  choice.sums = data.sums.sums();
  choice.columns = camera.width;
  choice.least_weight = device::least_weight;
  choice.least_support = data.least_support;
  choice.is_heaviest = data.choice == SurfaceChoice::MostSeen;
  choice.depth = depth.ptr();
  choice.depth_stride = strideOf(depth);
  parallelFor2D(device, camera.width, camera.height, choice, stream);
}

} // namespace pcl::gpu

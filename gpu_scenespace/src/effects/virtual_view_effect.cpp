// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition.hpp"
#include "effects/view_rendering.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/virtual_view_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Makes up the colours of pixels that show nothing.
 * \param[in] image on the current device
 * \param[in] reach how far away colours are taken from, pixels
 * \param[out] filled created there; transparent where colours are made up
 */
void
fillHoles(const SceneImage& image,
          int reach,
          DeviceArray2D<RGB>& filled,
          const Stream& stream)
{
  const Device device = deviceOf(image.color);
  createOn(device, filled, image.color.rows(), image.color.cols());
  device::FillHoles task{};
  task.color = packedColors(image.color);
  task.color_stride = strideOf(image.color);
  task.depth = image.depth.ptr();
  task.depth_stride = strideOf(image.depth);
  task.filled = packedColors(filled);
  task.filled_stride = strideOf(filled);
  task.columns = filled.cols();
  task.rows = filled.rows();
  task.reach = reach;
  parallelFor2D(device, task.columns, task.rows, task, stream);
}

} // namespace

class VirtualViewEffect::Implementation {
public:
  ViewFunction views;
  int reach = 6, step = 1, hole_reach = 24;
  float sigma_frame = 3.0f, sigma_xyz = 0.05f, sigma_rgb = 40.0f;
  ViewRendering rendering;
  ViewSources sources;
  DeviceArray2D<RGB> with_holes;

  /** \brief The frames about a time. */
  void
  setSources(const RGBDVideo& video, float time)
  {
    const double last = video.size() - 1.0;
    const int middle =
        static_cast<int>(std::clamp<double>(std::round(time), 0.0, last));
    sources.setWindow(video, middle, reach, step);
    sources.color_weights = timeWeights(sources.numbers, middle, sigma_frame);
  }
};

VirtualViewEffect::VirtualViewEffect()
: implementation_(std::make_unique<Implementation>())
{}

VirtualViewEffect::~VirtualViewEffect() = default;

void
VirtualViewEffect::setViews(ViewFunction views)
{
  implementation_->views = std::move(views);
}

void
VirtualViewEffect::setViews(std::vector<SceneView> views)
{
  for (const SceneView& view : views)
    view.validate();
  const auto shared = std::make_shared<const std::vector<SceneView>>(std::move(views));
  implementation_->views = [shared](const RGBDVideo&, int number) {
    const int count = static_cast<int>(shared->size());
    checkArgument(number >= 0 && number < count,
                  "number of the frame",
                  number,
                  "one that has a view");
    return (*shared)[number];
  };
}

void
VirtualViewEffect::setReach(int frames)
{
  checkArgument(frames >= 0, "reach", frames, "0 frames or more");
  implementation_->reach = frames;
}

int
VirtualViewEffect::getReach() const
{
  return implementation_->reach;
}

void
VirtualViewEffect::setStep(int frames)
{
  checkArgument(frames >= 1, "step", frames, "1 frame or more");
  implementation_->step = frames;
}

int
VirtualViewEffect::getStep() const
{
  return implementation_->step;
}

void
VirtualViewEffect::setHoleReach(int pixels)
{
  checkArgument(pixels >= 0, "reach of holes", pixels, "0 pixels or more");
  implementation_->hole_reach = pixels;
}

int
VirtualViewEffect::getHoleReach() const
{
  return implementation_->hole_reach;
}

void
VirtualViewEffect::setSigmaFrame(float sigma)
{
  checkDeviation("sigma_frame", sigma);
  implementation_->sigma_frame = sigma;
}

float
VirtualViewEffect::getSigmaFrame() const
{
  return implementation_->sigma_frame;
}

void
VirtualViewEffect::setSigmaXYZ(float sigma)
{
  checkPositive("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
VirtualViewEffect::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

void
VirtualViewEffect::setSigmaRGB(float sigma)
{
  checkDeviation("sigma_rgb", sigma);
  implementation_->sigma_rgb = sigma;
}

float
VirtualViewEffect::getSigmaRGB() const
{
  return implementation_->sigma_rgb;
}

std::unique_ptr<SceneSpaceEffect>
VirtualViewEffect::clone() const
{
  auto copy = std::make_unique<VirtualViewEffect>();
  copy->setViews(implementation_->views);
  copy->setReach(getReach());
  copy->setStep(getStep());
  copy->setHoleReach(getHoleReach());
  copy->setSigmaFrame(getSigmaFrame());
  copy->setSigmaXYZ(getSigmaXYZ());
  copy->setSigmaRGB(getSigmaRGB());
  return copy;
}

SceneView
VirtualViewEffect::view(const RGBDVideo& video, int number) const
{
  // Also rejects numbers that the input has no frame of.
  const SceneView own = SceneSpaceEffect::view(video, number);
  if (!implementation_->views)
    return own;
  SceneView view = implementation_->views(video, number);
  view.validate();
  return view;
}

EffectMemory
VirtualViewEffect::workingMemory(const SceneView&) const
{
  return {1, 1, 4, 0};
}

void
VirtualViewEffect::compute(SceneFrameStore& frames,
                           int number,
                           SceneImage& image,
                           const Stream& stream)
{
  Implementation& data = *implementation_;
  const SceneView output = view(frames.getVideo(), number);
  data.setSources(frames.getVideo(), output.time);
  data.rendering.sigma_rgb = data.sigma_rgb;
  data.rendering.average.setSigmaXYZ(data.sigma_xyz);
  data.rendering.average.setNoise(frames.getPreparation().noise);
  SceneImage rendered = {data.with_holes, image.depth, image.variance};
  data.rendering.render(frames, output, data.sources, rendered, stream);
  data.with_holes = rendered.color;
  image.depth = rendered.depth;
  image.variance = rendered.variance;
  fillHoles(rendered, data.hole_reach, image.color, stream);
}

} // namespace pcl::gpu

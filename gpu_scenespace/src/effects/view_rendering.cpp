// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/view_rendering.h"

#include <pcl/gpu/utils/parameterized.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Weight of frames beside the middle one for surfaces, where the middle one has
 * 1. They give only surfaces that it does not see: movers are at its places, and
 * nowhere else. */
constexpr float other_frames_weight = 0.05f;

// Pixels beside a near thing see a tenth of it; a thing that is seen less hides
// nothing.
constexpr float surface_sigma_pixel = 0.5f;
constexpr float surface_least_support = 0.25f;

} // namespace

ViewRendering::ViewRendering()
{
  setParameter(surface_, &SceneSurfaceParameters::sigma_pixel, surface_sigma_pixel);
  setParameter(surface_, &SceneSurfaceParameters::least_support, surface_least_support);
}

void
ViewRendering::setWindow(const RGBDVideo& video, int middle, int reach, int step)
{
  numbers = frameWindow(video, middle, reach, step);
  surface_weights_.assign(numbers.size(), other_frames_weight);
  const auto place = std::find(numbers.begin(), numbers.end(), middle);
  surface_weights_[place - numbers.begin()] = 1.0f;
}

void
ViewRendering::render(SceneFrameStore& frames,
                      const SceneView& view,
                      SceneImage& image,
                      const Stream& stream)
{
  surface_.begin(view, stream);
  for (const FrameBatch& batch : frames.batches(numbers, surface_weights_, stream))
    surface_.add(batch.frames, batch.weights, stream);
  surface_.finish(depth_, stream);
  averageTwice(frames, view, depth_, image, stream);
}

void
ViewRendering::averageTwice(SceneFrameStore& frames,
                            const SceneView& view,
                            const DeviceArray2D<float>& depth,
                            SceneImage& image,
                            const Stream& stream)
{
  average.noise = frames.getPreparation().noise;
  average_.setParameters(average);
  const auto averageOf = [&](const SceneReference& reference, SceneImage& result) {
    average_.begin(view, reference, stream);
    for (const FrameBatch& batch : frames.batches(numbers, color_weights, stream))
      average_.add(batch.frames, batch.weights, stream);
    average_.finish(result, stream);
  };
  if (std::isinf(average.sigma_rgb))
    return averageOf({{}, depth}, image);
  averageOf({{}, depth}, first_);
  averageOf({first_.color, depth}, image);
}

} // namespace pcl::gpu

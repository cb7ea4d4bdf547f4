// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/view_rendering.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

void
ViewSources::setWindow(const RGBDVideo& video, int middle, int reach, int step)
{
  numbers = frameWindow(video, middle, reach, step);
  // Movers are at the middle frame's places, and nowhere else.
  surface_weights.assign(numbers.size(), 0.05f);
  const auto place = std::find(numbers.begin(), numbers.end(), middle);
  surface_weights[place - numbers.begin()] = 1.0f;
  color_weights.clear();
}

ViewRendering::ViewRendering()
{
  // Pixels beside a near thing see a tenth of it; a thing that is seen less hides
  // nothing.
  SceneSurfaceParameters parameters;
  parameters.sigma_pixel = 0.5f;
  parameters.least_support = 0.25f;
  surface_.setParameters(parameters);
}

void
ViewRendering::render(SceneFrameStore& frames,
                      const SceneView& view,
                      const ViewSources& sources,
                      SceneImage& image,
                      const Stream& stream)
{
  surface_.begin(view, stream);
  for (const FrameBatch& batch :
       frames.batches(sources.numbers, sources.surface_weights, stream))
    surface_.add(batch.frames, batch.weights, stream);
  surface_.finish(depth_, stream);
  averageTwice(
      frames, view, depth_, sources.numbers, sources.color_weights, image, stream);
}

void
ViewRendering::averageTwice(SceneFrameStore& frames,
                            const SceneView& view,
                            const DeviceArray2D<float>& depth,
                            const std::vector<int>& numbers,
                            const std::vector<float>& weights,
                            SceneImage& image,
                            const Stream& stream)
{
  average_.setParameters(average);
  const auto averageOf = [&](const SceneReference& reference, SceneImage& result) {
    average_.begin(view, reference, stream);
    for (const FrameBatch& batch : frames.batches(numbers, weights, stream))
      average_.add(batch.frames, batch.weights, stream);
    average_.finish(result, stream);
  };
  if (std::isinf(average.sigma_rgb))
    return averageOf({{}, depth}, image);
  averageOf({{}, depth}, first_);
  averageOf({first_.color, depth}, image);
}

} // namespace pcl::gpu

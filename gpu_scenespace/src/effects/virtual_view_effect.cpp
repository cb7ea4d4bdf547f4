// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition.hpp"
#include "effects/view_rendering.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/virtual_view_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

struct VirtualViewEffect::Buffers {
  ViewRendering rendering;
  DeviceArray2D<RGB> with_holes;
};

VirtualViewEffectParameters::ViewFunction
VirtualViewEffectParameters::viewsOf(std::vector<SceneView> views)
{
  for (const SceneView& view : views)
    view.validate();
  const auto shared = std::make_shared<const std::vector<SceneView>>(std::move(views));
  return [shared](const RGBDVideo&, int number) {
    const int count = static_cast<int>(shared->size());
    checkArgument(number >= 0 && number < count,
                  "number of the frame",
                  number,
                  "one that has a view");
    return (*shared)[number];
  };
}

void
VirtualViewEffectParameters::validate() const
{
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(step >= 1, "step", step, "1 frame or more");
  checkArgument(hole_reach >= 0, "reach of holes", hole_reach, "0 pixels or more");
  checkDeviation("sigma_frame", sigma_frame);
  checkPositive("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_rgb", sigma_rgb);
}

SceneView
VirtualViewEffect::view(const RGBDVideo& video, int number) const
{
  // Also rejects numbers that the input has no frame of.
  const SceneView own = SceneSpaceEffect::view(video, number);
  if (!parameters_.views)
    return own;
  SceneView view = parameters_.views(video, number);
  view.validate();
  return view;
}

void
VirtualViewEffect::compute(SceneFrameStore& frames,
                           int number,
                           SceneImage& image,
                           const Stream& stream)
{
  Buffers& data = buffers_.get();
  const RGBDVideo& video = frames.getVideo();
  const SceneView output = view(video, number);
  const int middle = static_cast<int>(
      std::clamp<double>(std::round(output.time), 0.0, video.size() - 1.0));
  ViewRendering& rendering = data.rendering;
  rendering.setWindow(video, middle, parameters_.reach, parameters_.step);
  rendering.color_weights =
      timeWeights(rendering.numbers, middle, parameters_.sigma_frame);
  rendering.average.sigma_rgb = parameters_.sigma_rgb;
  rendering.average.sigma_xyz = parameters_.sigma_xyz;
  image.color.swap(data.with_holes);
  rendering.render(frames, output, image, stream);
  image.color.swap(data.with_holes);
  device::Picture picture = pictureOf(image);
  picture.color = inputView<device::PackedColor>(data.with_holes);
  const Device device = deviceOf(data.with_holes);
  const int columns = picture.color.cols, rows = picture.color.rows;
  createOn(device, image.color, rows, columns);
  const device::FillHoles step{
      picture, outputView<device::PackedColor>(image.color), parameters_.hole_reach};
  parallelFor2D(device, columns, rows, step, stream);
}

} // namespace pcl::gpu

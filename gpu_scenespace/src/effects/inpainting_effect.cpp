// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/inpainting.hpp"
#include "effects/composition/picture_pyramid.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/inpainting_effect.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

/** \brief A place seen only long before or after is better than one seen by no frame. */
constexpr float least_time_weight = 1e-12f;

/** \brief Gives an image the size of a frame. */
device::PictureOutput
createdImage(const SceneFrame& frame, SceneImage& image)
{
  const Device device = deviceOf(frame.getColor());
  createOn(device, image, frame.getColor().rows(), frame.getColor().cols());
  return {outputView<device::PackedColor>(image.color),
          outputView<float>(image.depth),
          outputView<float>(image.variance)};
}

void
copyFrame(const SceneFrame& frame, float noise, SceneImage& image, const Stream& stream)
{
  const device::CopyPicture step{inputView<device::PackedColor>(frame.getColor()),
                                 inputView<float>(frame.getDepth()),
                                 noise * noise,
                                 createdImage(frame, image)};
  const Device device = deviceOf(frame.getColor());
  parallelFor2D(device, step.color.cols, step.color.rows, step, stream);
}

} // namespace

struct InpaintingEffect::Buffers {
  SceneSurface surface;
  SceneSpaceAverage average;
  DeviceArray2D<float> depth;
  SceneImage first, mode;
  PicturePyramid pyramid;

  /** \brief The background as far as frames see it, with holes. */
  void
  seeBackground(const InpaintingEffectParameters& parameters,
                SceneFrameStore& frames,
                const SceneView& view,
                int number,
                const Stream& stream)
  {
    const std::vector<int> window =
        frameWindow(frames.getVideo(), number, parameters.reach, parameters.step);
    std::vector<float> weights = timeWeights(window, number, parameters.sigma_frame);
    for (float& weight : weights)
      weight = std::max(weight, least_time_weight);
    const auto addBackground = [&](auto& sum) {
      for (const FrameBatch& batch :
           frames.batches(window, weights, stream, FrameContent::Background))
        sum.add(batch.frames, batch.weights, stream);
    };
    surface.begin(view, stream);
    addBackground(surface);
    surface.finish(depth, stream);
    const auto averageAround = [&](const SceneReference& reference, SceneImage& image) {
      average.begin(view, reference, stream);
      addBackground(average);
      average.finish(image, stream);
    };
    SceneSpaceAverageParameters average_parameters;
    average_parameters.sigma_rgb = parameters.sigma_rgb;
    average_parameters.sigma_xyz = parameters.sigma_xyz;
    average_parameters.noise = frames.getPreparation().noise;
    average.setParameters(average_parameters);
    averageAround({{}, depth}, first);
    averageAround({first.color, first.depth}, mode);
  }

  void
  fill(const PreparedFrame& own,
       float opacity,
       float noise,
       SceneImage& image,
       const Stream& stream)
  {
    device::InpaintingInput input{};
    input.color = inputView<device::PackedColor>(own.frame->getColor());
    input.depth = inputView<float>(own.frame->getDepth());
    input.mask = inputView<std::uint8_t>(own.mask);
    input.seen_color = inputView<device::PackedColor>(mode.color);
    input.seen_depth = inputView<float>(mode.depth);
    input.seen_variance = inputView<float>(mode.variance);
    const Device device = deviceOf(own.frame->getColor());
    const auto forPixels = [&](const auto& step) {
      parallelFor2D(device, input.color.cols, input.color.rows, step, stream);
    };
    pyramid.resize(input.color.cols, input.color.rows);
    const device::PyramidLevel& picture = pyramid.levels()[0];
    forPixels(device::MarkDifference{input, picture});
    pyramid.fillHoles(device, stream);
    forPixels(device::PlaceKnown{input, picture});
    pyramid.fillHoles(device, stream);
    forPixels(device::WriteInpainted{
        input, picture, opacity, noise * noise, createdImage(*own.frame, image)});
  }
};

void
InpaintingEffectParameters::validate() const
{
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(step >= 1, "step", step, "1 frame or more");
  checkDeviation("sigma_rgb", sigma_rgb);
  checkPositive("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_frame", sigma_frame);
  checkArgument(opacity >= 0.0f && opacity <= 1.0f, "opacity", opacity, "0 to 1");
}

EffectMemory
InpaintingEffect::workingMemory(const SceneView& view) const
{
  return {
      1, 1, 4, PicturePyramid::estimateMemory(view.camera.width, view.camera.height)};
}

void
InpaintingEffect::compute(SceneFrameStore& frames,
                          int number,
                          SceneImage& image,
                          const Stream& stream)
{
  Buffers& data = buffers_.get();
  const float noise = frames.getPreparation().noise;
  const PreparedFrame own = frames.get(number, stream);
  if (own.mask.empty() || parameters_.opacity == 1.0f)
    return copyFrame(*own.frame, noise, image, stream);
  data.seeBackground(parameters_, frames, own.frame->getView(), number, stream);
  data.fill(own, parameters_.opacity, noise, image, stream);
}

} // namespace pcl::gpu

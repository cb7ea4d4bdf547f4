// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/inpainting.hpp"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/inpainting_effect.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

/** \brief A place seen only long before or after is better than one seen by no
 * frame. */
constexpr float least_time_weight = 1e-12f;

/** \brief Calls visit(columns, rows) for each level of a pyramid. */
template <typename Visit>
void
forLevels(int columns, int rows, Visit visit)
{
  visit(columns, rows);
  while (columns > 1 || rows > 1) {
    columns = device::halfSize(columns);
    rows = device::halfSize(rows);
    visit(columns, rows);
  }
}

std::size_t
pyramidMemory(int columns, int rows)
{
  std::size_t bytes = 0;
  forLevels(columns, rows, [&](int width, int height) {
    bytes += Workspace::bytesFor<device::HolePixel>(std::size_t(width) * height);
  });
  return bytes;
}

} // namespace

struct InpaintingEffect::Buffers {
  SceneSurface surface;
  SceneSpaceAverage average;
  DeviceArray2D<float> depth;
  SceneImage first, mode;
  Workspace pyramid_memory;
  std::vector<device::PyramidLevel> levels; ///< down to a pixel

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
    const device::InpaintingInput input{
        pictureOf(*own.frame), inputView<std::uint8_t>(own.mask), pictureOf(mode)};
    const Device device = deviceOf(own.frame->getColor());
    const int columns = input.own.color.cols, rows = input.own.color.rows;
    const auto forPixels = [&](const auto& step) {
      parallelFor2D(device, columns, rows, step, stream);
    };
    pyramid_memory.reserve(pyramidMemory(columns, rows));
    levels.clear();
    forLevels(columns, rows, [&](int width, int height) {
      const std::size_t pixels = std::size_t(width) * height;
      levels.push_back({pyramid_memory.take<device::HolePixel>(pixels), width, height});
    });
    forPixels(device::MarkDifference{input, levels[0]});
    fillHoles(device, stream);
    forPixels(device::PlaceKnown{input, levels[0]});
    fillHoles(device, stream);
    forPixels(device::WriteInpainted{input,
                                     levels[0],
                                     opacity,
                                     noise * noise,
                                     createdPicture(device, image, rows, columns)});
  }

  /** \brief Fills the holes of the first level from their surroundings: pull-push
   * (Gortler et al. 1996, The Lumigraph). */
  void
  fillHoles(const Device& device, const Stream& stream) const
  {
    const int last = static_cast<int>(levels.size()) - 1;
    const auto forPixels = [&](const device::PyramidLevel& level, const auto& step) {
      parallelFor2D(device, level.columns, level.rows, step, stream);
    };
    for (int i = 0; i < last; ++i)
      forPixels(levels[i + 1], device::PullPixel{levels[i], levels[i + 1]});
    for (int i = last; i > 0; --i)
      forPixels(levels[i - 1], device::PushPixel{levels[i], levels[i - 1]});
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
  checkBetween("opacity", opacity, 0.0f, 1.0f, "0 to 1");
}

EffectMemory
InpaintingEffect::workingMemory(const SceneView& view) const
{
  EffectMemory memory;
  memory.other = pyramidMemory(view.camera.width, view.camera.height);
  return memory;
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
  if (own.mask.empty() || parameters_.opacity == 1.0f) {
    const device::Picture picture = pictureOf(*own.frame);
    const int columns = picture.color.cols, rows = picture.color.rows;
    const Device device = deviceOf(own.frame->getColor());
    const device::CopyPicture step{
        picture, noise * noise, createdPicture(device, image, rows, columns)};
    return parallelFor2D(device, columns, rows, step, stream);
  }
  data.seeBackground(parameters_, frames, own.frame->getView(), number, stream);
  data.fill(own, parameters_.opacity, noise, image, stream);
}

} // namespace pcl::gpu

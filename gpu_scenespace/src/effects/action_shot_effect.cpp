// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/mover_layers.hpp"
#include "frames/resources.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/action_shot_effect.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/workspace.h>

#include <cmath>
#include <memory>
#include <set>

namespace pcl::gpu {

namespace {

/** \brief Movers that are no more than this are not seen: less than half a level. */
constexpr float least_opacity = 1.0f / 512.0f;

/** \brief Deviation of samples from a pixel's centre, pixels. Movers are averaged from
 * one frame: samples beside a pixel's centre only blur. */
constexpr float mover_sigma_pixel = 0.35f;

float
opacityOf(const ActionShotEffectParameters& parameters, int number, int output)
{
  return std::exp2(-std::abs(static_cast<float>(number - output)) /
                   parameters.half_life);
}

/** \brief The frames whose movers an output frame shows, the oldest first. */
std::vector<int>
shownFrames(const ActionShotEffectParameters& parameters,
            const RGBDVideo& video,
            int output)
{
  std::set<int> shown(parameters.frames.begin(), parameters.frames.end());
  if (parameters.frames.empty())
    for (int i = 0; i < video.size(); i += parameters.interval)
      shown.insert(i);
  if (parameters.own_movers_shown)
    shown.insert(output);
  std::vector<int> result;
  for (const int number : shown) {
    const bool is_near = number >= output ? number - output <= parameters.reach_after
                                          : output - number <= parameters.reach_before;
    if (is_near && opacityOf(parameters, number, output) >= least_opacity)
      result.push_back(number);
  }
  return result;
}

} // namespace

struct ActionShotEffect::Buffers {
  SceneSpaceEffect::ConstPtr original;
  std::unique_ptr<SceneSpaceEffect> background; ///< a copy of the original
  SceneSurface surface;
  SceneSpaceAverage average;
  DeviceArray2D<float> depth;
  SceneImage movers;
  Workspace memory;

  Buffers()
  {
    setParameter(average, &SceneSpaceAverageParameters::sigma_pixel, mover_sigma_pixel);
  }

  /** \brief Renders a frame's movers. */
  void
  render(const std::vector<SceneFrame::ConstPtr>& objects,
         const SceneView& view,
         const Stream& stream)
  {
    surface.begin(view, stream);
    surface.add(objects, {}, stream);
    surface.finish(depth, stream);
    average.begin(view, {{}, depth}, stream);
    average.add(objects, {}, stream);
    average.finish(movers, stream);
  }
};

void
ActionShotEffectParameters::validate() const
{
  for (const int number : frames)
    checkArgument(number >= 0, "number of a frame", number, "0 or more");
  checkArgument(interval >= 1, "interval", interval, "1 frame or more");
  checkArgument(reach_before >= 0, "reach before", reach_before, "0 frames or more");
  checkArgument(reach_after >= 0, "reach after", reach_after, "0 frames or more");
  checkDeviation("half-life", half_life);
  checkBetween("tolerance of depths", tolerance, 0.0f, 1.0f, "0 to 1");
}

SceneSpaceEffect::ConstPtr
ActionShotEffect::background() const
{
  static const auto inpainting = std::make_shared<const InpaintingEffect>();
  return parameters_.background ? parameters_.background : inpainting;
}

SceneView
ActionShotEffect::view(const RGBDVideo& video, int number) const
{
  return background()->view(video, number);
}

EffectMemory
ActionShotEffect::workingMemory(const SceneView& view) const
{
  EffectMemory memory = background()->workingMemory(view);
  memory.averages += 1;
  memory.surfaces += 1;
  memory.images += 2;
  memory.other += pixelMemory<device::MoverSum>(view);
  return memory;
}

void
ActionShotEffect::compute(SceneFrameStore& frames,
                          int number,
                          SceneImage& image,
                          const Stream& stream)
{
  Buffers& data = buffers_.get();
  const SceneSpaceEffect::ConstPtr original = background();
  if (data.original != original) {
    data.background = original->clone();
    data.original = original;
  }
  const SceneView view = original->view(frames.getVideo(), number);
  data.background->compute(frames, number, image, stream);
  const Device device = deviceOf(image.color);
  const int columns = image.color.cols(), rows = image.color.rows();
  data.memory.reserve(pixelMemory<device::MoverSum>(view));
  auto* const sums = data.memory.take<device::MoverSum>(std::size_t(columns) * rows);
  parallelFor2D(device, columns, rows, device::ClearMovers{sums, columns}, stream);
  for (const int shown : shownFrames(parameters_, frames.getVideo(), number)) {
    const PreparedFrame frame = frames.get(shown, stream);
    if (!frame.objects)
      continue;
    data.render({frame.objects}, view, stream);
    const device::AddMover step{pictureOf(data.movers),
                                inputView<float>(image.depth),
                                opacityOf(parameters_, shown, number),
                                parameters_.tolerance,
                                sums};
    parallelFor2D(device, columns, rows, step, stream);
  }
  const device::WriteMovers step{
      sums, columns, createdPicture(device, image, rows, columns)};
  parallelFor2D(device, columns, rows, step, stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/mover_layers.hpp"

#include <pcl/gpu/scenespace/action_shot_effect.h>
#include <pcl/gpu/scenespace/inpainting_effect.h>
#include <pcl/gpu/scenespace/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pcl::gpu {

namespace {

/** \brief Movers that are no more than this are not seen: less than half a level. */
constexpr float least_opacity = 1.0f / 512.0f;

std::size_t
moverMemory(const SceneView& view)
{
  const std::size_t pixels = std::size_t(view.camera.width) * view.camera.height;
  return Workspace::bytesFor<device::MoverSum>(pixels);
}

} // namespace

class ActionShotEffect::Implementation {
public:
  std::vector<int> numbers;
  int interval = 15;
  int before = std::numeric_limits<int>::max();
  int after = std::numeric_limits<int>::max();
  bool own_shown = true;
  float half_life = std::numeric_limits<float>::infinity();
  float tolerance = 0.02f;
  std::unique_ptr<SceneSpaceEffect> background = std::make_unique<InpaintingEffect>();
  SceneSurface surface;
  SceneSpaceAverage average;
  DeviceArray2D<float> depth;
  SceneImage movers;
  Workspace memory;

  Implementation()
  {
    // One frame's samples: what is beside a pixel's centre only blurs.
    average.setSigmaPixel(0.35f);
  }

  float
  opacityOf(int number, int output) const
  {
    return std::exp2(-std::abs(static_cast<float>(number - output)) / half_life);
  }

  /** \brief The frames whose movers an output frame shows, the oldest first. */
  std::vector<int>
  shownFrames(const RGBDVideo& video, int output) const
  {
    std::set<int> shown(numbers.begin(), numbers.end());
    if (numbers.empty())
      for (int i = 0; i < video.size(); i += interval)
        shown.insert(i);
    if (own_shown)
      shown.insert(output);
    std::vector<int> result;
    for (const int number : shown) {
      const bool is_near =
          number >= output ? number - output <= after : output - number <= before;
      if (is_near && opacityOf(number, output) >= least_opacity)
        result.push_back(number);
    }
    return result;
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

ActionShotEffect::ActionShotEffect()
: implementation_(std::make_unique<Implementation>())
{}

ActionShotEffect::~ActionShotEffect() = default;

void
ActionShotEffect::setFrames(const std::vector<int>& numbers)
{
  for (const int number : numbers)
    checkArgument(number >= 0, "number of a frame", number, "0 or more");
  const std::set<int> sorted(numbers.begin(), numbers.end());
  implementation_->numbers.assign(sorted.begin(), sorted.end());
}

const std::vector<int>&
ActionShotEffect::getFrames() const
{
  return implementation_->numbers;
}

void
ActionShotEffect::setInterval(int interval)
{
  checkArgument(interval >= 1, "interval", interval, "1 frame or more");
  implementation_->interval = interval;
}

int
ActionShotEffect::getInterval() const
{
  return implementation_->interval;
}

void
ActionShotEffect::setReach(int before, int after)
{
  checkArgument(before >= 0, "reach before", before, "0 frames or more");
  checkArgument(after >= 0, "reach after", after, "0 frames or more");
  implementation_->before = before;
  implementation_->after = after;
}

int
ActionShotEffect::getReachBefore() const
{
  return implementation_->before;
}

int
ActionShotEffect::getReachAfter() const
{
  return implementation_->after;
}

void
ActionShotEffect::setOwnMoversShown(bool shown)
{
  implementation_->own_shown = shown;
}

bool
ActionShotEffect::areOwnMoversShown() const
{
  return implementation_->own_shown;
}

void
ActionShotEffect::setFade(float half_life)
{
  checkDeviation("half-life", half_life);
  implementation_->half_life = half_life;
}

float
ActionShotEffect::getFade() const
{
  return implementation_->half_life;
}

void
ActionShotEffect::setTolerance(float tolerance)
{
  checkArgument(tolerance >= 0.0f && tolerance <= 1.0f,
                "tolerance of depths",
                tolerance,
                "0 to 1");
  implementation_->tolerance = tolerance;
}

float
ActionShotEffect::getTolerance() const
{
  return implementation_->tolerance;
}

void
ActionShotEffect::setBackground(const SceneSpaceEffect& effect)
{
  implementation_->background = effect.clone();
}

const SceneSpaceEffect&
ActionShotEffect::getBackground() const
{
  return *implementation_->background;
}

std::unique_ptr<SceneSpaceEffect>
ActionShotEffect::clone() const
{
  auto copy = std::make_unique<ActionShotEffect>();
  copy->setFrames(getFrames());
  copy->setInterval(getInterval());
  copy->setReach(getReachBefore(), getReachAfter());
  copy->setOwnMoversShown(areOwnMoversShown());
  copy->setFade(getFade());
  copy->setTolerance(getTolerance());
  copy->setBackground(getBackground());
  return copy;
}

SceneView
ActionShotEffect::view(const RGBDVideo& video, int number) const
{
  return implementation_->background->view(video, number);
}

EffectMemory
ActionShotEffect::workingMemory(const SceneView& view) const
{
  EffectMemory memory = implementation_->background->workingMemory(view);
  memory.averages += 1;
  memory.surfaces += 1;
  memory.images += 2;
  memory.other += moverMemory(view);
  return memory;
}

void
ActionShotEffect::compute(SceneFrameStore& frames,
                          int number,
                          SceneImage& image,
                          const Stream& stream)
{
  Implementation& data = *implementation_;
  const SceneView view = data.background->view(frames.getVideo(), number);
  data.background->compute(frames, number, image, stream);
  const Device device = deviceOf(image.color);
  const int columns = image.color.cols(), rows = image.color.rows();
  data.memory.reserve(moverMemory(view));
  auto* const sums = data.memory.take<device::MoverSum>(std::size_t(columns) * rows);
  parallelFor2D(device, columns, rows, device::ClearMovers{sums, columns}, stream);
  for (const int shown : data.shownFrames(frames.getVideo(), number)) {
    const PreparedFrame frame = frames.get(shown, stream);
    if (!frame.objects)
      continue;
    data.render({frame.objects}, view, stream);
    const device::AddMover step{inputView<device::PackedColor>(data.movers.color),
                                inputView<float>(data.movers.depth),
                                inputView<float>(image.depth),
                                data.opacityOf(shown, number),
                                data.tolerance,
                                sums};
    parallelFor2D(device, columns, rows, step, stream);
  }
  const device::WriteMovers step{sums,
                                 columns,
                                 rows,
                                 {outputView<device::PackedColor>(image.color),
                                  outputView<float>(image.depth),
                                  outputView<float>(image.variance)}};
  parallelFor2D(device, columns, rows, step, stream);
}

} // namespace pcl::gpu

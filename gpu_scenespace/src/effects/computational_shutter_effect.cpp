// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/effects/computational_shutter_effect.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/parameterized.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

Shutter
Shutter::box(int frames)
{
  checkArgument(frames >= 1, "frames of the shutter", frames, "1 or more");
  return sampled([](float) { return 1.0f; }, -(frames / 2), (frames - 1) / 2);
}

Shutter
Shutter::gaussian(float sigma)
{
  checkPositive("sigma of the shutter", sigma);
  const int reach = static_cast<int>(std::ceil(3.0f * std::min(sigma, 1e6f)));
  return sampled(
      [=](float frames) {
        const float distance = frames / sigma;
        return std::exp(-0.5f * distance * distance);
      },
      -reach,
      reach);
}

Shutter
Shutter::exponential(float frames)
{
  checkPositive("frames of the shutter", frames);
  const int reach = static_cast<int>(std::ceil(5.0f * std::min(frames, 1e6f)));
  return sampled(
      [=](float distance) { return std::exp(distance / frames); }, -reach, 0);
}

Shutter
Shutter::strobe(int flashes, int distance)
{
  checkArgument(flashes >= 1, "flashes", flashes, "1 or more");
  checkArgument(distance >= 1, "distance of flashes", distance, "1 frame or more");
  Shutter shutter;
  shutter.first = -(flashes - 1) * distance;
  shutter.weights.assign(1 - shutter.first, 0.0f);
  for (int i = 0; i < flashes; ++i)
    shutter.weights[i * distance] = 1.0f;
  return shutter;
}

Shutter
Shutter::sampled(const std::function<float(float frames)>& weight, int first, int last)
{
  checkArgument(last >= first, "last frame", last, "one that is not before the first");
  Shutter shutter;
  shutter.first = first;
  shutter.weights.clear();
  for (int i = first; i <= last; ++i)
    shutter.weights.push_back(weight(static_cast<float>(i)));
  return shutter;
}

void
Shutter::validate() const
{
  float most = 0.0f;
  for (const float weight : weights) {
    checkNotNegative("weight of the shutter", weight);
    most = std::max(most, weight);
  }
  checkArgument(
      most > 0.0f, "largest weight of the shutter", most, "a positive number");
}

struct ComputationalShutterEffect::Buffers {
  SceneSurface surface;
  SceneSpaceAverage average;
  std::vector<int> exposed, all; ///< frames
  std::vector<float> weights;    ///< of those exposed
  DeviceArray2D<float> mean_depth;

  Buffers()
  {
    setParameter(surface, &SceneSurfaceParameters::choice, SurfaceChoice::MostSeen);
  }

  void
  chooseFrames(const Shutter& shutter, int number, int count)
  {
    exposed.clear();
    all.clear();
    weights.clear();
    for (std::size_t i = 0; i < shutter.weights.size(); ++i) {
      const long long frame = static_cast<long long>(number) + shutter.first + i;
      if (frame < 0 || frame >= count)
        continue;
      all.push_back(static_cast<int>(frame));
      if (shutter.weights[i] > 0.0f) {
        exposed.push_back(static_cast<int>(frame));
        weights.push_back(shutter.weights[i]);
      }
    }
    if (exposed.empty()) {
      all = exposed = {number};
      weights = {1.0f};
    }
  }
};

void
ComputationalShutterEffectParameters::validate() const
{
  shutter.validate();
  checkPositive("sigma_xyz", sigma_xyz);
}

EffectMemory
ComputationalShutterEffect::workingMemory(const SceneView&) const
{
  EffectMemory memory;
  memory.images = 2;
  return memory;
}

void
ComputationalShutterEffect::compute(SceneFrameStore& frames,
                                    int number,
                                    SceneImage& image,
                                    const Stream& stream)
{
  Buffers& data = buffers_.get();
  const SceneView output = view(frames.getVideo(), number);
  data.chooseFrames(parameters_.shutter, number, frames.getVideo().size());
  data.surface.begin(output, stream);
  for (const FrameBatch& batch : frames.batches(data.all, {}, stream))
    data.surface.add(batch.frames, batch.weights, stream);
  data.surface.finish(image.depth, stream);
  SceneSpaceAverageParameters average;
  average.sigma_rgb = std::numeric_limits<float>::infinity();
  average.sigma_xyz = parameters_.sigma_xyz;
  average.sigma_xyz_in_front = std::numeric_limits<float>::infinity();
  // A frame then weighs the same wherever its samples are between pixels, within 6 %.
  average.sigma_pixel = 0.5f;
  average.noise = frames.getPreparation().noise;
  data.average.setParameters(average);
  // Pixels that no exposed frame sees have its colours.
  const PreparedFrame own = frames.get(number, stream);
  data.average.begin(output, {own.frame->getColor(), image.depth}, stream);
  for (const FrameBatch& batch : frames.batches(data.exposed, data.weights, stream))
    data.average.add(batch.frames, batch.weights, stream);
  // Nothing has the mean depth of movers and their background.
  image.depth.swap(data.mean_depth);
  data.average.finish(image, stream);
  image.depth.swap(data.mean_depth);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/view_rendering.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Deviation of samples from a pixel's centre, pixels: an average over less than
 * a pixel, since it cannot be sharper than the picture's own pixels. */
constexpr float average_sigma_pixel = 0.3f;

/** \brief Returns weights of frames by time and sharpness. */
std::vector<float>
weightsOf(const DeblurringEffectParameters& parameters,
          SceneFrameStore& frames,
          const std::vector<int>& window,
          int number,
          const Stream& stream)
{
  std::vector<float> sharpness;
  for (const FrameBatch& batch : frames.batches(window, {}, stream))
    sharpness.insert(sharpness.end(), batch.sharpness.begin(), batch.sharpness.end());
  std::vector<float> weights = timeWeights(window, number, parameters.sigma_frame);
  const float best = *std::max_element(sharpness.begin(), sharpness.end());
  for (std::size_t i = 0; i < window.size() && best > 0.0f; ++i)
    weights[i] *= std::pow(sharpness[i] / best, parameters.sharpness_power);
  const auto own = std::find(window.begin(), window.end(), number);
  weights[own - window.begin()] *= parameters.own_lead;
  return weights;
}

} // namespace

struct DeblurringEffect::Buffers {
  ViewRendering rendering;
};

void
DeblurringEffectParameters::validate() const
{
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkNotNegative("power of sharpness", sharpness_power);
  checkArgument(std::isfinite(own_lead) && own_lead >= 1.0f,
                "own lead",
                own_lead,
                "a number of 1 or more");
  checkDeviation("sigma_rgb", sigma_rgb);
  checkPositive("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_frame", sigma_frame);
}

EffectMemory
DeblurringEffect::workingMemory(const SceneView&) const
{
  EffectMemory memory;
  memory.images = 3;
  return memory;
}

void
DeblurringEffect::compute(SceneFrameStore& frames,
                          int number,
                          SceneImage& image,
                          const Stream& stream)
{
  ViewRendering& rendering = buffers_.get().rendering;
  const PreparedFrame own = frames.get(number, stream);
  rendering.numbers = frameWindow(frames.getVideo(), number, parameters_.reach);
  rendering.color_weights =
      weightsOf(parameters_, frames, rendering.numbers, number, stream);
  rendering.average.sigma_rgb = parameters_.sigma_rgb;
  rendering.average.sigma_xyz = parameters_.sigma_xyz;
  rendering.average.sigma_pixel = average_sigma_pixel;
  rendering.averageTwice(
      frames, own.frame->getView(), own.frame->getDepth(), image, stream);
}

} // namespace pcl::gpu

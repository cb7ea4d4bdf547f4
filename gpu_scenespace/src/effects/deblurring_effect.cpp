// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/view_rendering.h"

#include <pcl/gpu/scenespace/deblurring_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

class DeblurringEffect::Implementation {
public:
  int reach = 10;
  float power = 16.0f, lead = 50.0f;
  float sigma_rgb = 60.0f, sigma_xyz = 0.05f, sigma_frame = 20.0f;
  ViewRendering rendering;

  Implementation()
  {
    // Sharper than a picture's own pixels no average need be.
    rendering.average.setSigmaPixel(0.3f);
  }

  /** \brief Weights of frames by time and sharpness. */
  std::vector<float>
  weights(SceneFrameStore& frames,
          const std::vector<int>& window,
          int number,
          const Stream& stream) const
  {
    std::vector<float> sharpness;
    for (const FrameBatch& batch : frames.batches(window, {}, stream))
      sharpness.insert(sharpness.end(), batch.sharpness.begin(), batch.sharpness.end());
    std::vector<float> weights = timeWeights(window, number, sigma_frame);
    const float best = *std::max_element(sharpness.begin(), sharpness.end());
    for (std::size_t i = 0; i < window.size() && best > 0.0f; ++i)
      weights[i] *= std::pow(sharpness[i] / best, power);
    const auto own = std::find(window.begin(), window.end(), number);
    weights[own - window.begin()] *= lead;
    return weights;
  }
};

DeblurringEffect::DeblurringEffect()
: implementation_(std::make_unique<Implementation>())
{}

DeblurringEffect::~DeblurringEffect() = default;

void
DeblurringEffect::setReach(int frames)
{
  checkArgument(frames >= 0, "reach", frames, "0 frames or more");
  implementation_->reach = frames;
}

int
DeblurringEffect::getReach() const
{
  return implementation_->reach;
}

void
DeblurringEffect::setSharpnessPower(float power)
{
  checkNotNegative("power of sharpness", power);
  implementation_->power = power;
}

float
DeblurringEffect::getSharpnessPower() const
{
  return implementation_->power;
}

void
DeblurringEffect::setOwnLead(float lead)
{
  checkArgument(
      std::isfinite(lead) && lead >= 1.0f, "own lead", lead, "a number of 1 or more");
  implementation_->lead = lead;
}

float
DeblurringEffect::getOwnLead() const
{
  return implementation_->lead;
}

void
DeblurringEffect::setSigmaRGB(float sigma)
{
  checkDeviation("sigma_rgb", sigma);
  implementation_->sigma_rgb = sigma;
}

float
DeblurringEffect::getSigmaRGB() const
{
  return implementation_->sigma_rgb;
}

void
DeblurringEffect::setSigmaXYZ(float sigma)
{
  checkPositive("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
DeblurringEffect::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

void
DeblurringEffect::setSigmaFrame(float sigma)
{
  checkDeviation("sigma_frame", sigma);
  implementation_->sigma_frame = sigma;
}

float
DeblurringEffect::getSigmaFrame() const
{
  return implementation_->sigma_frame;
}

std::unique_ptr<SceneSpaceEffect>
DeblurringEffect::clone() const
{
  auto copy = std::make_unique<DeblurringEffect>();
  copy->setReach(getReach());
  copy->setSharpnessPower(getSharpnessPower());
  copy->setOwnLead(getOwnLead());
  copy->setSigmaRGB(getSigmaRGB());
  copy->setSigmaXYZ(getSigmaXYZ());
  copy->setSigmaFrame(getSigmaFrame());
  return copy;
}

EffectMemory
DeblurringEffect::workingMemory(const SceneView&) const
{
  return {1, 1, 3, 0};
}

void
DeblurringEffect::compute(SceneFrameStore& frames,
                          int number,
                          SceneImage& image,
                          const Stream& stream)
{
  Implementation& data = *implementation_;
  const PreparedFrame own = frames.get(number, stream);
  const std::vector<int> window = frameWindow(frames.getVideo(), number, data.reach);
  data.rendering.sigma_rgb = data.sigma_rgb;
  data.rendering.average.setSigmaXYZ(data.sigma_xyz);
  data.rendering.average.setNoise(frames.getPreparation().noise);
  data.rendering.averageTwice(frames,
                              own.frame->getView(),
                              own.frame->getDepth(),
                              window,
                              data.weights(frames, window, number, stream),
                              image,
                              stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/denoising_effect.h>
#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <limits>

namespace pcl::gpu {

class DenoisingEffect::Implementation {
public:
  int reach = 18;
  float sigma_rgb = 0.0f, sigma_xyz = 0.05f;
  float sigma_frame = std::numeric_limits<float>::infinity();
  SceneSpaceAverage average;
  NonLocalMeans last_filter;
  DeviceArray2D<RGB> average_color;

  Implementation()
  {
    last_filter.setSearchReach(4);
    last_filter.setStrength(1.0f);
  }

  float
  sigmaOfColors(float noise) const
  {
    return sigma_rgb > 0.0f ? sigma_rgb : std::max(14.0f, 0.7f * noise);
  }
};

DenoisingEffect::DenoisingEffect() : implementation_(std::make_unique<Implementation>())
{}

DenoisingEffect::~DenoisingEffect() = default;

void
DenoisingEffect::setReach(int frames)
{
  checkArgument(frames >= 0, "reach", frames, "0 frames or more");
  implementation_->reach = frames;
}

int
DenoisingEffect::getReach() const
{
  return implementation_->reach;
}

void
DenoisingEffect::setSigmaRGB(float sigma)
{
  checkNotNegative("sigma_rgb", sigma);
  implementation_->sigma_rgb = sigma;
}

float
DenoisingEffect::getSigmaRGB() const
{
  return implementation_->sigma_rgb;
}

void
DenoisingEffect::setSigmaXYZ(float sigma)
{
  checkPositive("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
DenoisingEffect::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

void
DenoisingEffect::setSigmaFrame(float sigma)
{
  checkDeviation("sigma_frame", sigma);
  implementation_->sigma_frame = sigma;
}

float
DenoisingEffect::getSigmaFrame() const
{
  return implementation_->sigma_frame;
}

std::unique_ptr<SceneSpaceEffect>
DenoisingEffect::clone() const
{
  auto copy = std::make_unique<DenoisingEffect>();
  copy->setReach(getReach());
  copy->setSigmaRGB(getSigmaRGB());
  copy->setSigmaXYZ(getSigmaXYZ());
  copy->setSigmaFrame(getSigmaFrame());
  return copy;
}

EffectMemory
DenoisingEffect::workingMemory(const SceneView&) const
{
  return {1, 0, 1, 0};
}

void
DenoisingEffect::compute(SceneFrameStore& frames,
                         int number,
                         SceneImage& image,
                         const Stream& stream)
{
  Implementation& data = *implementation_;
  const float noise = frames.getPreparation().noise;
  data.average.setSigmaRGB(data.sigmaOfColors(noise));
  data.average.setSigmaXYZ(data.sigma_xyz);
  const PreparedFrame own = frames.get(number, stream);
  data.average.begin(
      own.frame->getView(), {own.frame->getGuide(), own.frame->getDepth()}, stream);
  const std::vector<int> window = frameWindow(frames.getVideo(), number, data.reach);
  const std::vector<float> weights = timeWeights(window, number, data.sigma_frame);
  for (const FrameBatch& batch : frames.batches(window, weights, stream))
    data.average.add(batch.frames, batch.weights, stream);
  if (noise == 0.0f)
    return data.average.finish(image, stream);
  data.average.setNoise(noise);
  SceneImage average{data.average_color, image.depth, image.variance};
  data.average.finish(average, stream);
  data.last_filter.compute(average.color, average.variance, image.color, stream);
  data.average_color = average.color;
  image.depth = average.depth;
  image.variance = average.variance;
}

} // namespace pcl::gpu

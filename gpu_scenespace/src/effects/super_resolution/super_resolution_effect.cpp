// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/super_resolution_estimate.h"

#include <pcl/gpu/scenespace/super_resolution_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pcl::gpu {

static_assert(SuperResolutionEffect::max_scale == device::max_scale, "");
static_assert(3.0f * SuperResolutionEffect::max_sigma_smooth <= device::max_blur_reach,
              "");

namespace {

struct Settings {
  EnlargementFilter filter = EnlargementFilter::Better;
  int scale = 2, reach = 15, iterations = 3;
  int own_steps_before = 2, own_steps_behind = 1;
  float step = 0.7f;
  float sigma_residual = 30.0f, sigma_xyz = 0.05f, sigma_pixel = 0.5f;
  float sigma_frame_error = 2.5f, sigma_smooth = 1.0f;
};

} // namespace

class SuperResolutionEffect::Implementation {
public:
  Settings settings;
  SceneSpaceAverage average;
  SuperResolutionEstimate estimate;

  /** \brief Begins with the own frame, enlarged, and finds the weights of the others.
   * \param[in] others the window without the own frame
   */
  void
  enlarge(SceneFrameStore& frames, const std::vector<int>& others, const Stream& stream)
  {
    const bool is_learned = settings.filter == EnlargementFilter::Learned;
    const bool is_compared =
        settings.filter == EnlargementFilter::Better && !others.empty();
    if (is_learned || is_compared)
      estimate.learnFilter(stream);
    enlargeBy(is_learned, stream);
    errors.clear();
    if (is_compared || settings.iterations > 0)
      measure(frames, others, errors, stream);
    weighByErrors(frames.getPreparation().noise);
    // Frames that show something else tell nothing of the own one.
    constexpr double least_weight = 0.01;
    if (!is_compared ||
        std::accumulate(weights.begin(), weights.end(), 0.0) < least_weight)
      return;
    enlargeBy(true, stream);
    measure(frames, others, other_errors, stream);
    const auto weighted = [&](const std::vector<float>& values) {
      return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
    };
    if (weighted(other_errors) < weighted(errors)) {
      errors.swap(other_errors);
      weighByErrors(frames.getPreparation().noise);
    }
    else
      enlargeBy(false, stream);
  }

  /** \brief Averages the residuals of all frames. */
  void
  averageResiduals(SceneFrameStore& frames,
                   const std::vector<int>& others,
                   SceneImage& image,
                   const Stream& stream)
  {
    average.begin(estimate.view(), estimate.reference(), stream);
    average.setSigmaRGB(std::numeric_limits<float>::infinity());
    average.add({estimate.ownResidual(stream)}, {}, stream);
    average.setSigmaRGB(device::residual_steps * settings.sigma_residual);
    for (const FrameBatch& batch : some(frames, others, weights, stream))
      average.add(estimate.residuals(batch.frames, stream), batch.weights, stream);
    average.finish(image, stream);
  }

private:
  /** \brief Sets the estimate to the own frame, enlarged. */
  void
  enlargeBy(bool learned, const Stream& stream)
  {
    estimate.enlargeOwn(learned, stream);
    for (int i = 0; i < settings.own_steps_before; ++i)
      estimate.stepTowardsOwn(stream);
  }

  /** \brief Finds how far frames depart from the estimate, levels^2. */
  void
  measure(SceneFrameStore& frames,
          const std::vector<int>& others,
          std::vector<float>& departures,
          const Stream& stream)
  {
    departures.clear();
    for (const FrameBatch& batch : some(frames, others, {}, stream))
      estimate.measure(batch.frames, departures, stream);
  }

  void
  weighByErrors(double noise)
  {
    const double sigma = settings.sigma_frame_error;
    weights.clear();
    for (const float error : errors) {
      // Both the frame and the estimate have noise.
      const double beyond = std::max(0.0, error - 2.0 * noise * noise);
      weights.push_back(static_cast<float>(std::exp(-0.5 * beyond / (sigma * sigma))));
    }
  }

  /** \brief Returns frames, as many at a time as there is memory for residuals of. */
  static FrameBatches
  some(SceneFrameStore& frames,
       const std::vector<int>& numbers,
       const std::vector<float>& weights,
       const Stream& stream)
  {
    return frames.batches(numbers,
                          weights,
                          stream,
                          FrameContent::Whole,
                          SuperResolutionEstimate::most_residuals);
  }

  std::vector<float> errors, other_errors; ///< of the other frames, levels^2
  std::vector<float> weights;
};

SuperResolutionEffect::SuperResolutionEffect()
: implementation_(std::make_unique<Implementation>())
{}

SuperResolutionEffect::~SuperResolutionEffect() = default;

void
SuperResolutionEffect::setScale(int scale)
{
  checkArgument(scale >= 2 && scale <= max_scale, "scale", scale, "2 to 4");
  implementation_->settings.scale = scale;
}

int
SuperResolutionEffect::getScale() const
{
  return implementation_->settings.scale;
}

void
SuperResolutionEffect::setReach(int frames)
{
  checkArgument(frames >= 0, "reach", frames, "0 frames or more");
  implementation_->settings.reach = frames;
}

int
SuperResolutionEffect::getReach() const
{
  return implementation_->settings.reach;
}

void
SuperResolutionEffect::setIterations(int iterations)
{
  checkArgument(iterations >= 0, "iterations", iterations, "0 or more");
  implementation_->settings.iterations = iterations;
}

int
SuperResolutionEffect::getIterations() const
{
  return implementation_->settings.iterations;
}

void
SuperResolutionEffect::setStep(float step)
{
  checkPositive("step", step);
  implementation_->settings.step = step;
}

float
SuperResolutionEffect::getStep() const
{
  return implementation_->settings.step;
}

void
SuperResolutionEffect::setFilter(EnlargementFilter filter)
{
  checkEnumerator("enlargement filter", filter, EnlargementFilter::Learned);
  implementation_->settings.filter = filter;
}

EnlargementFilter
SuperResolutionEffect::getFilter() const
{
  return implementation_->settings.filter;
}

void
SuperResolutionEffect::setOwnSteps(int before, int behind)
{
  checkArgument(before >= 0, "own steps before iterations", before, "0 or more");
  checkArgument(behind >= 0, "own steps behind iterations", behind, "0 or more");
  implementation_->settings.own_steps_before = before;
  implementation_->settings.own_steps_behind = behind;
}

int
SuperResolutionEffect::getOwnStepsBefore() const
{
  return implementation_->settings.own_steps_before;
}

int
SuperResolutionEffect::getOwnStepsBehind() const
{
  return implementation_->settings.own_steps_behind;
}

void
SuperResolutionEffect::setSigmaResidual(float sigma)
{
  checkDeviation("sigma_residual", sigma);
  implementation_->settings.sigma_residual = sigma;
}

float
SuperResolutionEffect::getSigmaResidual() const
{
  return implementation_->settings.sigma_residual;
}

void
SuperResolutionEffect::setSigmaXYZ(float sigma)
{
  checkDeviation("sigma_xyz", sigma);
  implementation_->settings.sigma_xyz = sigma;
}

float
SuperResolutionEffect::getSigmaXYZ() const
{
  return implementation_->settings.sigma_xyz;
}

void
SuperResolutionEffect::setSigmaPixel(float sigma)
{
  checkDeviation("sigma_pixel", sigma);
  implementation_->settings.sigma_pixel = sigma;
}

float
SuperResolutionEffect::getSigmaPixel() const
{
  return implementation_->settings.sigma_pixel;
}

void
SuperResolutionEffect::setSigmaFrameError(float sigma)
{
  checkDeviation("sigma_frame_error", sigma);
  implementation_->settings.sigma_frame_error = sigma;
}

float
SuperResolutionEffect::getSigmaFrameError() const
{
  return implementation_->settings.sigma_frame_error;
}

void
SuperResolutionEffect::setSigmaSmooth(float sigma)
{
  checkArgument(sigma >= 0.0f && sigma <= max_sigma_smooth,
                "sigma_smooth",
                sigma,
                "0 to 5 pixels");
  implementation_->settings.sigma_smooth = sigma;
}

float
SuperResolutionEffect::getSigmaSmooth() const
{
  return implementation_->settings.sigma_smooth;
}

std::unique_ptr<SceneSpaceEffect>
SuperResolutionEffect::clone() const
{
  auto copy = std::make_unique<SuperResolutionEffect>();
  copy->implementation_->settings = implementation_->settings;
  return copy;
}

SceneView
SuperResolutionEffect::view(const RGBDVideo& video, int number) const
{
  return enlargedView(SceneSpaceEffect::view(video, number), getScale());
}

EffectMemory
SuperResolutionEffect::workingMemory(const SceneView& view) const
{
  return {1, 0, 1, SuperResolutionEstimate::estimateMemory(view, getScale())};
}

void
SuperResolutionEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Implementation& data = *implementation_;
  const Settings& settings = data.settings;
  const PreparedFrame own = frames.get(number, stream);
  SuperResolutionEstimate& estimate = data.estimate;
  estimate.begin(*own.frame, settings.scale, settings.sigma_smooth, stream);
  data.average.setSigmaXYZ(settings.sigma_xyz);
  data.average.setSigmaPixel(settings.sigma_pixel);
  std::vector<int> others = frameWindow(frames.getVideo(), number, settings.reach);
  others.erase(std::find(others.begin(), others.end(), number));
  data.enlarge(frames, others, stream);
  for (int i = 0; i < settings.iterations; ++i) {
    data.averageResiduals(frames, others, image, stream);
    estimate.add(image, settings.step, stream);
    for (int j = 0; j < settings.own_steps_behind; ++j)
      estimate.stepTowardsOwn(stream);
  }
  estimate.write(image, settings.iterations > 0, frames.getPreparation().noise, stream);
}

} // namespace pcl::gpu

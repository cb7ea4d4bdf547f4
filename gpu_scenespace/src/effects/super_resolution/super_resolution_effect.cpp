// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/super_resolution_estimate.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pcl::gpu {

static_assert(SuperResolutionEffectParameters::max_scale == device::max_scale, "");
static_assert(3.0f * SuperResolutionEffectParameters::max_sigma_smooth <=
                  device::max_blur_reach,
              "");

struct SuperResolutionEffect::Buffers {
  SuperResolutionEffectParameters settings;
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
    // Frames that show something else say nothing about the own one.
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
    setSigmaRGB(std::numeric_limits<float>::infinity());
    average.add({estimate.ownResidual(stream)}, {}, stream);
    setSigmaRGB(device::residual_steps * settings.sigma_residual);
    for (const FrameBatch& batch : some(frames, others, weights, stream))
      average.add(estimate.residuals(batch.frames, stream), batch.weights, stream);
    average.finish(image, stream);
  }

private:
  /** \brief Sets the deviation of residuals. */
  void
  setSigmaRGB(float sigma)
  {
    SceneSpaceAverageParameters parameters;
    parameters.sigma_rgb = sigma;
    parameters.sigma_xyz = settings.sigma_xyz;
    parameters.sigma_pixel = settings.sigma_pixel;
    average.setParameters(parameters);
  }

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

void
SuperResolutionEffectParameters::validate() const
{
  checkArgument(scale >= 2 && scale <= max_scale, "scale", scale, "2 to 4");
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(iterations >= 0, "iterations", iterations, "0 or more");
  checkPositive("step", step);
  checkEnumerator("enlargement filter", filter, EnlargementFilter::Better);
  checkArgument(own_steps_before >= 0,
                "own steps before iterations",
                own_steps_before,
                "0 or more");
  checkArgument(own_steps_behind >= 0,
                "own steps behind iterations",
                own_steps_behind,
                "0 or more");
  checkDeviation("sigma_residual", sigma_residual);
  checkDeviation("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_pixel", sigma_pixel);
  checkDeviation("sigma_frame_error", sigma_frame_error);
  checkArgument(sigma_smooth >= 0.0f && sigma_smooth <= max_sigma_smooth,
                "sigma_smooth",
                sigma_smooth,
                "0 to 5 pixels");
}

SceneView
SuperResolutionEffect::view(const RGBDVideo& video, int number) const
{
  return enlargedView(SceneSpaceEffect::view(video, number), parameters_.scale);
}

EffectMemory
SuperResolutionEffect::workingMemory(const SceneView& view) const
{
  return {1, 0, 1, SuperResolutionEstimate::estimateMemory(view, parameters_.scale)};
}

void
SuperResolutionEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Buffers& data = buffers_.get();
  data.settings = parameters_;
  const SuperResolutionEffectParameters& settings = data.settings;
  const PreparedFrame own = frames.get(number, stream);
  SuperResolutionEstimate& estimate = data.estimate;
  estimate.begin(*own.frame, settings.scale, settings.sigma_smooth, stream);
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

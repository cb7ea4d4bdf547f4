// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_parts.h"
#include "super_resolution_estimate.h"

#include <pcl/gpu/scenespace/super_resolution_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl {
namespace gpu {

static_assert(SuperResolutionEffect::max_scale == device::max_scale, "");
static_assert(3.0f * SuperResolutionEffect::max_sigma_smooth <= device::max_blur_reach,
              "");

namespace {

struct Settings {
  int scale = 2, reach = 15, iterations = 3;
  int own_steps_before = 2, own_steps_behind = 1;
  float step = 0.7f;
  float sigma_residual = 30.0f, sigma_xyz = 0.05f, sigma_pixel = 0.5f;
  float sigma_frame_error = 2.5f, sigma_smooth = 2.0f;
};

void
checkSigma(const char* name, float sigma)
{
  checkArgument(sigma > 0.0f, name, sigma, "a positive number or infinity");
}

} // namespace

class SuperResolutionEffect::Implementation {
public:
  Settings settings;
  SceneSpaceAverage average;
  SuperResolutionEstimate estimate;
  std::vector<SceneFrame::ConstPtr> some; ///< that residuals are written of

  /** \brief Averages the residuals of all frames.
   * \param[in] others the window without the own frame
   */
  void
  averageResiduals(SceneFrameCache& frames,
                   const std::vector<int>& others,
                   bool is_first,
                   SceneImage& image,
                   const Stream& stream)
  {
    average.begin(estimate.view(), estimate.reference(), stream);
    average.setSigmaRGB(std::numeric_limits<float>::infinity());
    average.add({estimate.ownResidual(stream)}, {}, stream);
    average.setSigmaRGB(device::residual_steps * settings.sigma_residual);
    if (is_first)
      frame_weights.clear();
    frames.forEachPart(
        others,
        [&](const std::vector<PreparedFrame>& prepared, std::size_t first) {
          constexpr std::size_t most = SuperResolutionEstimate::most_residuals;
          for (std::size_t i = 0; i < prepared.size(); i += most)
            addSome(prepared,
                    i,
                    std::min(prepared.size(), i + most),
                    first + i,
                    is_first,
                    frames.getPreparation().noise,
                    stream);
          // What is held takes up room.
          some.clear();
        },
        stream);
    average.finish(image, stream);
  }

private:
  /** \brief Adds some frames of a part.
   * \param[in] place of the first of them among the window's others
   */
  void
  addSome(const std::vector<PreparedFrame>& prepared,
          std::size_t begin,
          std::size_t end,
          std::size_t place,
          bool is_first,
          float noise,
          const Stream& stream)
  {
    some.clear();
    for (std::size_t i = begin; i < end; ++i)
      some.push_back(prepared[i].frame);
    const std::vector<SceneFrame::ConstPtr>& residuals =
        estimate.residuals(some, is_first ? &errors : nullptr, stream);
    if (is_first)
      for (const float error : errors)
        frame_weights.push_back(weightOf(error, noise));
    some_weights.assign(frame_weights.begin() + place,
                        frame_weights.begin() + place + some.size());
    average.add(residuals, some_weights, stream);
  }

  /** \brief The weight of a frame.
   * \param[in] error mean square of its residuals, levels^2
   */
  float
  weightOf(float error, float noise) const
  {
    // The noise of both the frame and the estimate.
    const double beyond = std::max(0.0, double(error) - 2.0 * noise * noise);
    const double sigma = settings.sigma_frame_error;
    return static_cast<float>(std::exp(-0.5 * beyond / (sigma * sigma)));
  }

  std::vector<float> errors, frame_weights, some_weights;
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
  checkSigma("sigma_residual", sigma);
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
  checkSigma("sigma_xyz", sigma);
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
  checkSigma("sigma_pixel", sigma);
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
  checkSigma("sigma_frame_error", sigma);
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

std::size_t
SuperResolutionEffect::estimateMemory(const SceneView& view) const
{
  return averageMemory(view) + imageMemory(view) +
         SuperResolutionEstimate::estimateMemory(view, getScale());
}

void
SuperResolutionEffect::compute(SceneFrameCache& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Implementation& data = *implementation_;
  const Settings& settings = data.settings;
  data.some.clear(); // an exception may have left frames there
  const PreparedFrame own = frames.get(number, stream);
  SuperResolutionEstimate& estimate = data.estimate;
  estimate.begin(*own.frame, settings.scale, settings.sigma_smooth, stream);
  // One more: from nothing, the first is Lanczos's filter.
  for (int i = 0; i <= settings.own_steps_before; ++i)
    estimate.stepTowardsOwn(stream);
  data.average.setSigmaXYZ(settings.sigma_xyz);
  data.average.setSigmaPixel(settings.sigma_pixel);
  std::vector<int> others = frameWindow(frames.getVideo(), number, settings.reach);
  others.erase(std::find(others.begin(), others.end(), number));
  for (int i = 0; i < settings.iterations; ++i) {
    data.averageResiduals(frames, others, i == 0, image, stream);
    estimate.add(image, settings.step, stream);
    for (int j = 0; j < settings.own_steps_behind; ++j)
      estimate.stepTowardsOwn(stream);
  }
  estimate.write(image, settings.iterations > 0, frames.getPreparation().noise, stream);
}

} // namespace gpu
} // namespace pcl

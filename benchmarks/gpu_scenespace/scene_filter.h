// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "denoising_video.h"

#include <limits>
#include <vector>

namespace benchmarks {

constexpr float no_limit = std::numeric_limits<float>::infinity();

/** \brief A weighted sum of scene-space samples. Deviations of infinity compare nothing. */
struct SampleWeights {
  int footprint = 3;            ///< pixels, odd
  float sigma_frame = no_limit; ///< frames
  float sigma_xyz = no_limit;   ///< metres, in all directions
  float sigma_depth =
      no_limit; ///< of depth at 1 m, metres; grows with the distance squared
  float least_sigma_depth = 0.0f; ///< what that is added to, squared, metres
  float sigma_pixel = no_limit; ///< of the projection's distance from the pixel, pixels
  float sigma_rgb = no_limit;   ///< of colours, levels
  bool guided = false; ///< compare colours of guides, not those of the noisy frames
  /** \brief Add what a sample's colour differs by from its guide to the output pixel's guide,
   * instead of the colour itself. */
  bool residual = false;
  /** \brief Take the variance from the sum of weights alone, as if only sigma_pixel made
   * weights differ. */
  bool variance_of_sum = false;
};

/** \brief What frames are filtered from. */
struct FilterInput {
  const NoisyFrames& frames;
  const std::vector<Levels>& noisy;
  const std::vector<Levels>& guides;
  const std::vector<pcl::gpu::Image<float>>& depths;
};

/** \brief A filtered frame. */
struct FilteredFrame {
  Levels color;
  /** \brief Variance of the noise that is left, of that of the input: sum of squared weights
   * over the square of their sum. */
  pcl::gpu::Image<float> variance;
};

/** \brief Filters a frame with those up to \a reach frames away. */
FilteredFrame
filterSamples(const FilterInput& input,
              int number,
              int reach,
              const SampleWeights& weights);

/** \brief Fills holes with the depth of the nearest pixels to their left, right, above and
 * below: of that whose colour is most similar.
 * \param[in] colors without much noise
 */
pcl::gpu::Image<float>
fillDepth(const pcl::gpu::Image<float>& depth, const Levels& colors);

/** \brief Blurs by a Gaussian.
 * \param[in] sigma pixels
 */
Levels
blurred(const Levels& levels, float sigma);

/** \brief Non-local means with noise that differs from pixel to pixel. */
struct SpatialFilter {
  int patch_reach = 1;   ///< patches have 2 patch_reach + 1 pixels along a side
  int search_reach = 5;  ///< pixels
  float strength = 1.0f; ///< h, in deviations of the patches' noise
};

/** \brief A noisy frame, whose noise has a variance of 1. */
FilteredFrame
unfiltered(const Levels& noisy);

/** \brief Removes noise that is left.
 * \param[in] frame with the noise's variance
 * \param[in] sigma deviation of a variance of 1, levels
 */
Levels
filterSpatially(const FilteredFrame& frame, float sigma, const SpatialFilter& settings);

} // namespace benchmarks

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstdint>
#include <random>
#include <vector>

namespace pcl::gpu {

/** \brief Gives depth maps the noise of a Kinect.
 *
 * In this order, at a depth of z metres: rays jitter by a normal deviate of 0.5 pixels
 * in rows and columns; depths get a normal error of 1.425e-3 z^2 m; and they are
 * rounded to steps of 0.00285 z^2 m, which are even steps of 1 / z. All three times a
 * factor.
 *
 * Deviates are those of Box and Muller of std::mt19937_64, whose numbers the standard
 * prescribes; each pixel takes three, whatever is seen there. The same seed gives the
 * same noise wherever logarithm and cosine agree to the last bit; elsewhere a depth in
 * many thousands is rounded to the next step.
 */
class PCL_EXPORTS KinectNoise {
public:
  /** \brief Starts a sequence of noise.
   * \param[in] factor of a Kinect's; 0: none
   * \param[in] seed other seeds, other noise
   */
  explicit KinectNoise(double factor, std::uint64_t seed = 0);

  /** \brief Adds noise to a depth map; each call continues the sequence.
   * \param[in] depth metres, row by row; NaN where there is no measurement
   * \param[in] columns pixels of a row
   * \return the depth map with noise, in the same order
   */
  std::vector<float>
  apply(const std::vector<float>& depth, int columns);

private:
  double
  deviate();

  std::mt19937_64 random_;
  double factor_;
};

} // namespace pcl::gpu

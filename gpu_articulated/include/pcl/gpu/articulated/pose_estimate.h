// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief Pose after a frame of PoseParticleFilter.
 *
 * Degrees of freedom have this order: 0 to 2 the root's position, metres; 3 to 5 its
 * rotation vector from the mean, in the frame of the mean, radians; from 6 on the
 * angles in the order of the pose, radians; those of a ball joint (see
 * PoseParticleFilter) are its rotation vector from the mean, along its axes, in the
 * frame of the mean.
 * \ingroup gpu_articulated
 */
struct PoseEstimate {
  /** \brief Weighted mean of the poses (equation 1): of positions; of the rotations of
   * the root and of ball joints, as the unit quaternion that is nearest to theirs; of
   * angles, on the circle unless limits keep them within a turn. */
  std::vector<float> mean;
  std::vector<float> best;          ///< pose of the particle with the greatest weight
  std::vector<float> deviations;    ///< standard deviation of every degree of freedom
  double best_log_likelihood = 0.0; ///< of the best pose
  /** \brief Logarithm of the mean likelihood of the observation over the expected
   * poses. With one layer and exponent 1 it estimates log p(X_t | X_1 ... X_t-1), up to
   * the likelihood's constant. Minus infinity if no particle was possible. */
  double log_evidence = 0.0;
  double effective_sample_size = 0.0; ///< 1 to the number of particles
  double exponent = 1.0;              ///< of the likelihoods of the last layer
  /** \brief At least one particle had a finite log-likelihood. If not, all have the
   * same weight. */
  bool possible = false;
  bool resampled = false;  ///< the next frame starts from drawn particles
  std::uint32_t frame = 0; ///< frames since initialize()
};

} // namespace pcl::gpu

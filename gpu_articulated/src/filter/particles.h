// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

/** \brief Numbers of a pose before its angles: a position and a unit quaternion. */
constexpr int root_size = 7;

/** \brief Degrees of freedom of the root: a move and a turn. */
constexpr int root_freedoms = 6;

/** \brief The numbers of a pose. */
struct PoseSpace {
  int angles;
  int angle_parts;         ///< parts that the angles move in
  int balls;               ///< ball joints: see ball_joint.hpp
  const float* lower;      ///< least angles
  const float* upper;      ///< greatest angles
  const float* ball_sides; ///< handedness of the axes of each ball joint
  const int* ball_starts;  ///< first angle of each ball joint
  const int* ball_numbers; ///< of each angle: the ball joint that it belongs to, or -1
  const int* part_starts;  ///< first angle of each part, and the number of all angles

  /** \brief Returns the number of parts of a pose, each with its own random numbers:
   * position, turn, then each ball joint, and up to four of the angles between them. */
  PCL_GPU_HOST_DEVICE int
  parts() const
  {
    return 2 + angle_parts;
  }

  PCL_GPU_HOST_DEVICE int
  size() const
  {
    return root_size + angles;
  }

  PCL_GPU_HOST_DEVICE int
  freedoms() const
  {
    return root_freedoms + angles;
  }
};

/** \brief Sums of a weighing over all particles: zeros before and after it. */
struct WeightSums {
  unsigned long long greatest_key; ///< of the log-weights, as comparableKey()
  unsigned long long square_total; ///< sum of the squared weights
  unsigned int first_greatest;     ///< inverted: the greatest such number is kept
  /** \brief Bits of the exponents that were found to leave enough particles alive; see
   * findHalvings() and findSteps(). Not used on the host. */
  unsigned long long enough_halvings;
  unsigned int enough_steps[8];
};

/** \brief State of a filter. Starts as zeros. */
struct FilterState {
  WeightSums sums;
  unsigned long long total;  ///< sum of the weights
  double exponent;           ///< of the likelihoods
  double former_mean_weight; ///< before the frame, relative to the greatest of them
  double log_evidence;
  double effective_size;
  double best_log_likelihood;
  unsigned int best;            ///< the particle of the greatest weight
  unsigned int carries_weights; ///< 1: all ancestors are the particles themselves
  unsigned int possible;        ///< 1: at least one particle is possible
  unsigned int frame;           ///< counts from 0
};

/** \brief The particles of a filter. All arrays live on the device. */
struct Particles {
  PoseSpace space;
  std::uint32_t count;
  float* poses;               ///< rows of space.size()
  float* former_poses;        ///< those of their ancestors
  float* velocities;          ///< rows of space.freedoms(); null if there are none
  float* former_velocities;   ///< those of the ancestors
  double* log_weights;        ///< the greatest is 0
  std::uint64_t* weight_sums; ///< of the weights up to each particle's
  std::uint32_t* ancestors;   ///< for each of the next set, a particle of this one
  FilterState* state;
  float* mean;       ///< a pose
  float* best;       ///< the pose of the greatest weight
  float* deviations; ///< from the mean, one a degree of freedom

  PCL_GPU_HOST_DEVICE float*
  pose(std::size_t row) const
  {
    return poses + row * space.size();
  }
};

/** \brief Some of the particles. */
struct ParticleRange {
  std::uint32_t first, count;
};

// Tasks. Those with a range may split the particles between devices; the others need
// all particles.

/** \brief Motion of particles: by random numbers, or by the particles' spread. */
struct MoveTask {
  Particles particles;
  ParticleRange range;
  const float* start;          ///< former poses
  std::size_t start_step;      ///< from one to the next; 0: all start from the same
  const float* proposal;       ///< a pose that some start from instead; null: none
  std::uint32_t proposal_step; ///< from one of them to the next
  const float* deviations;     ///< of random numbers, one a degree of freedom
  const float* scales;         ///< of the motion of a degree of freedom; null: all 1
  bool from_spread; ///< pulls particles to their mean; if not, by random numbers
  float pull;       ///< share of the way to the mean
  float noise;      ///< scales all deviations, or the difference of two other particles
  float wide_noise; ///< scales the deviations of every fourth particle
  const float* rest; ///< a pose that angles return to; null: none
  float rest_share;  ///< share of the way to it
  float drift;       ///< share of the velocity that is kept, times the time step
  float time_step;   ///< seconds
  bool first;        ///< of the frame: velocities start from 0
  std::uint64_t seed;
  std::uint32_t layer;
};

/** \brief gpu::Resampling. */
enum class ResamplingScheme { Systematic, Stratified, Residual };

/** \brief Weighing of particles by log-likelihoods, and choice of their ancestors. */
struct WeighTask {
  Particles particles;
  const double* log_likelihoods;
  float survival_rate; ///< above 0: the exponent leaves this effective size
  float exponent;      ///< of the likelihoods, otherwise
  ResamplingScheme scheme;
  float threshold; ///< share of the effective size below which ancestors are chosen
  std::uint64_t seed;
  std::uint32_t layer;
  std::uint64_t* copies;    ///< one a particle, for Residual
  std::uint64_t* residuals; ///< one a particle, for Residual
  char* scratch;            ///< weightScratchBytes() of it
};

/** \brief Computation of the pose after a frame. All arrays live on the device. */
struct StatisticsTask {
  Particles particles;
  bool ends_frame; ///< if not, deviations stay as they are
  double* sums;    ///< sumScratchSize() of them
};

namespace host {

/** \brief Copies poses and velocities of the ancestors to the former ones. */
void
gather(const Particles& particles);

/** \brief Moves particles from their start to their poses. Needs the starts of all. */
void
move(const MoveTask& task);

/** \brief Returns the size of the scratch memory of weigh(). */
std::size_t
weightScratchBytes(std::uint32_t count);

/** \brief Turns log-likelihoods into weights, and chooses ancestors by them. */
void
weigh(const WeighTask& task);

/** \brief Writes mean and best pose; at the end of a frame deviations, too. */
void
summarize(const StatisticsTask& task);

/** \brief Sums weighted products of the differences from the mean, which is an input.
 * \return the sums, one a pair of degrees of freedom
 */
const double*
sumProducts(const StatisticsTask& task);

} // namespace host

namespace cuda {

void
gather(const Particles& particles, CUstream_st* stream);

void
move(const MoveTask& task, CUstream_st* stream);

std::size_t
weightScratchBytes(std::uint32_t count);

void
weigh(const WeighTask& task, CUstream_st* stream);

void
summarize(const StatisticsTask& task, CUstream_st* stream);

const double*
sumProducts(const StatisticsTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

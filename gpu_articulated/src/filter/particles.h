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

  /** \brief A pose moves in parts, each with random numbers of its own: position, turn,
   * then each ball joint, and up to four of the angles between them. */
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

/** \brief State of a filter: sums over all particles. Starts as zeros. */
struct FilterState {
  unsigned long long greatest_key; ///< of the log-weights, as comparableKey()
  unsigned long long square_total; ///< sum of the squared weights
  unsigned long long total;        ///< sum of the weights
  double exponent;                 ///< that likelihoods were raised to
  double former_mean_weight; ///< before the frame, relative to the greatest of them
  double log_evidence;
  double effective_size;
  double best_log_likelihood;
  unsigned int first_greatest;  ///< inverted: the greatest such number is kept
  unsigned int best;            ///< the particle of the greatest weight
  unsigned int carries_weights; ///< whether ancestors were the particles themselves
  unsigned int possible;        ///< whether any particle was
  unsigned int frame;           ///< counts from 0
  /** \brief Bits of the exponents that were found to leave enough particles alive; see
   * findHalvings() and findSteps(). Not used on the host. */
  unsigned long long enough_halvings;
  unsigned int enough_steps[8];
};

/** \brief The particles of a filter. All arrays live on the device. */
struct Particles {
  PoseSpace space;
  std::uint32_t count;
  float* poses;               ///< rows of space.size()
  float* former_poses;        ///< those of their ancestors
  float* velocities;          ///< rows of space.freedoms(); null where there are none
  float* former_velocities;   ///< those of the ancestors
  double* log_weights;        ///< the greatest is 0
  std::uint64_t* weight_sums; ///< of a particle's weight and all before it
  std::uint32_t* ancestors;   ///< which particle each of the next set comes from
  FilterState* state;
};

/** \brief Some of the particles. */
struct ParticleRange {
  std::uint32_t first, count;
};

/** \brief Motion of particles: by random numbers, or by the particles' spread. */
struct MotionTask {
  const float* start;      ///< poses that they come from
  std::size_t start_step;  ///< from one to the next; 0: all start from the same
  const float* deviations; ///< of random numbers, one a degree of freedom
  const float* scales; ///< of what moves a degree of freedom; null where they are all 1
  const float*
      mean;    ///< of the particles, which they are pulled to; null: random numbers
  float pull;  ///< share of the way to the mean
  float noise; ///< scales all deviations, or the difference of two other particles
  float wide_noise; ///< scales the deviations of every fourth particle
  float drift;      ///< share of the velocity that is kept, times the time step
  float time_step;  ///< seconds
  bool first;       ///< of the frame: velocities start anew
  std::uint64_t seed;
  std::uint32_t layer;
};

/** \brief Weighing of particles by log-likelihoods. */
struct WeightTask {
  const double* log_likelihoods;
  float survival_rate; ///< above 0: the exponent is what leaves this effective size
  float exponent;      ///< of the likelihoods, elsewhere
};

/** \brief gpu::Resampling. */
enum class ResamplingScheme { Systematic, Stratified, Residual };

struct ResamplingTask {
  ResamplingScheme scheme;
  float threshold; ///< share of the effective size below which ancestors are chosen
  std::uint64_t seed;
  std::uint32_t layer;
  std::uint64_t* copies;    ///< one a particle, for Residual
  std::uint64_t* residuals; ///< one a particle, for Residual
};

/** \brief The pose after a frame. All arrays live on the device. */
struct PoseStatistics {
  float* mean;       ///< a pose
  float* best;       ///< a pose
  float* deviations; ///< one a degree of freedom
  double* sums;      ///< sumScratchSize() of them
};

// Tasks. Those with a range can be done for parts of the particles on devices of their own;
// the others need all particles.

struct MoveTask {
  Particles particles;
  ParticleRange range;
  MotionTask motion;
};

struct WeighTask {
  Particles particles;
  WeightTask weights;
  ResamplingTask resampling;
  void* scratch; ///< weightScratchBytes() of it
};

struct StatisticsTask {
  Particles particles;
  PoseStatistics statistics;
  float* covariance; ///< a square of degrees of freedom, for findCovariance() only
};

namespace host {

/** \brief Makes every particle its own ancestor. */
void
resetAncestors(const Particles& particles);

/** \brief Copies poses and velocities of the ancestors to the former ones. */
void
gather(const Particles& particles);

/** \brief Moves particles from their start to their poses. The starts of all are there. */
void
move(const MoveTask& task);

/** \brief Returns the size of the scratch memory of weigh(). */
std::size_t
weightScratchBytes(std::uint32_t count);

/** \brief Turns log-likelihoods into weights, and chooses ancestors by them. */
void
weigh(const WeighTask& task);

/** \brief Writes mean and best pose. */
void
findMean(const StatisticsTask& task);

/** \brief Writes mean, best pose and deviations, and ends the frame. */
void
finishFrame(const StatisticsTask& task);

/** \brief Writes the covariance about the mean, which is there. */
void
findCovariance(const StatisticsTask& task);

} // namespace host

namespace cuda {

void
resetAncestors(const Particles& particles, CUstream_st* stream);

void
gather(const Particles& particles, CUstream_st* stream);

void
move(const MoveTask& task, CUstream_st* stream);

std::size_t
weightScratchBytes(std::uint32_t count);

void
weigh(const WeighTask& task, CUstream_st* stream);

void
findMean(const StatisticsTask& task, CUstream_st* stream);

void
finishFrame(const StatisticsTask& task, CUstream_st* stream);

void
findCovariance(const StatisticsTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

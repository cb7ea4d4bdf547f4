// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/particles.h"

#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <algorithm>
#include <vector>

namespace pcl::gpu {

// The steps of a filter by its parameters.

/** \brief Limits and deviations of the poses of a skeleton. */
struct PoseLimits {
  std::vector<float> lower;      ///< one an angle
  std::vector<float> upper;      ///< one an angle
  std::vector<float> deviations; ///< one a degree of freedom, over one second
  std::vector<int> ball_starts;  ///< first angle of each ball joint, ascending
  std::vector<float> ball_sides; ///< 1 for right-handed axes, else -1
};

/** \brief Motion and weighing of the particles of an island. Tasks have no arrays. */
struct FilterStep {
  device::MoveTask move{};
  int scales = -1;      ///< row of FilterShare::scales; -1: none
  bool returns = false; ///< angles return to FilterShare::rest
  device::WeighTask weigh{};
};

inline int
partitionCount(const PoseParticleFilterParameters& parameters)
{
  return std::max(static_cast<int>(parameters.partitions.size()), 1);
}

/** \brief Returns the number of steps of a frame. */
inline int
stepCount(const PoseParticleFilterParameters& parameters)
{
  return partitionCount(parameters) * parameters.layers;
}

/** \brief Returns the number of points that are compared.
 * \param[in] parameters of the filter
 * \param[in] points number of all points
 */
inline std::size_t
comparedPoints(const PoseParticleFilterParameters& parameters, std::size_t points)
{
  return parameters.max_points > 0 ? std::min(points, parameters.max_points) : points;
}

/** \brief Returns the number of particles of an island. */
inline std::uint32_t
islandSize(const PoseParticleFilterParameters& parameters)
{
  return static_cast<std::uint32_t>(
      (parameters.particle_count + parameters.islands - 1) / parameters.islands);
}

/** \brief Returns the seed of an island's random numbers. */
inline std::uint64_t
seedOf(const PoseParticleFilterParameters& parameters, int island)
{
  return parameters.seed + static_cast<std::uint64_t>(island) * 0x9e3779b97f4a7c15u;
}

/** \brief Returns limits and deviations of a skeleton's poses. */
PoseLimits
poseLimits(const PoseParticleFilterParameters& parameters, const Skeleton& skeleton);

/** \brief Returns one row a partition: 1 for the degrees of freedom that it moves, else
 * 0. */
std::vector<float>
partitionScales(const PoseParticleFilterParameters& parameters,
                const Skeleton& skeleton);

/** \brief Rejects exponents that do not fit the layers, and partitions that do not fit
 * the skeleton. */
void
checkFit(const PoseParticleFilterParameters& parameters, const Skeleton& skeleton);

/** \brief Returns a step of a frame.
 * \param[in] parameters of the filter
 * \param[in] island number of the island
 * \param[in] number of the step: steps go through the layers of a partition, then
 * through those of the next
 * \param[in] dt seconds since the frame before
 * \return the step
 */
FilterStep
stepOf(const PoseParticleFilterParameters& parameters,
       int island,
       int number,
       float dt);

} // namespace pcl::gpu

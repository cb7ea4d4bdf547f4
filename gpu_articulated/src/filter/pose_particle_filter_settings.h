// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particle_set.h"

#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <vector>

namespace pcl::gpu {

/** \brief What a filter was told. */
struct PoseParticleFilter::Settings {
  Skeleton::ConstPtr skeleton;
  std::size_t particle_count = 2000;
  std::uint64_t seed = 0;
  MotionModel motion_model = MotionModel::RandomWalk;
  float velocity_damping = 0.8f;
  MotionFunction motion_function;
  float translation_deviation = 0.5f;
  float rotation_deviation = 1.0f;
  float wide_motion = 1.0f;
  float wide_limb_motion = 1.0f;
  Resampling resampling = Resampling::Systematic;
  float resample_threshold = 0.5f;
  int layers = 1;
  float layer_decay = 0.6f;
  LayerNoise layer_noise = LayerNoise::Motion;
  std::vector<float> layer_exponents;
  float survival_rate = 0.0f;
  std::vector<std::vector<int>> partitions;
  CapsuleLikelihood likelihood;
  std::vector<Device> devices; ///< empty: that of the input
  int islands = 1;
  double island_margin = 300.0;
  int island_patience = 5;

  /** \brief Number of particles of an island. */
  std::uint32_t
  islandSize() const
  {
    return static_cast<std::uint32_t>((particle_count + islands - 1) / islands);
  }

  /** \brief What the random numbers of an island come from. */
  std::uint64_t
  seedOf(int island) const
  {
    return seed + static_cast<std::uint64_t>(island) * 0x9e3779b97f4a7c15u;
  }

  /** \brief What shares the particles.
   * \param[in] input where the input is
   */
  std::vector<Device>
  devicesFor(const Device& input) const;

  /** \brief Limits and deviations of the skeleton's pose. */
  ParticleSet::Space
  space() const;

  int
  partitionCount() const
  {
    return partitions.empty() ? 1 : static_cast<int>(partitions.size());
  }

  /** \brief One row a partition: 1 for the degrees of freedom that it moves, else 0. */
  std::vector<float>
  partitionScales() const;

  /** \brief Whether a partition moves the root. */
  bool
  movesRoot(int partition) const;

  /** \brief Number of layers in partitions right before that move the same joints. */
  int
  layersBefore(int partition) const;

  /** \brief Exponent of a layer's likelihoods. */
  float
  exponent(int layer) const;

  /** \brief Throws where settings do not fit one another. */
  void
  check() const;

  /** \brief How a layer's particles move. */
  ParticleSet::Step
  step(int island, int partition, int layer, float dt) const;

  /** \brief How the particles behind a layer are drawn. */
  device::ResamplingTask
  resamplingTask(int island, int partition, int layer) const;
};

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsules/prepare_capsule.hpp"

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

/** \brief Points to observe. All arrays live on the device. */
struct ObservationTask {
  const Float4* points;
  const float* weights;     ///< null: all 1
  const float* backgrounds; ///< lengths of rays to the background; null: not known
  std::size_t count;
  bool whole_rays;                     ///< see sortKey()
  std::uint32_t* keys;                 ///< one a point
  std::uint32_t* numbers;              ///< one a point
  const std::uint32_t* sorted_numbers; ///< one a point, in the order of the keys
  Observation observation;             ///< its arrays are written
};

/** \brief Samples to compare with an observation. All arrays live on the device. */
template <typename Prepared>
struct SampleTask {
  Observation observation;
  bool squared;   ///< the sum is that of squared distances
  bool occluding; ///< capsules hide each other
  bool culled;
  /** \brief Distance of a point whose ray meets no capsule: tau, or less if
   * occluding. */
  float miss_distance;
  const typename Prepared::Source* capsules; ///< sample by sample
  int capsules_per_sample;
  int sample_count;
  Prepared* prepared;  ///< as many as there are capsules
  int chunk_parts;     ///< with a sum each, a power of 2; part of the results' bits
  double* chunk_sums;  ///< sample_count * chunk_count * chunk_parts
  double factor;       ///< of the sums: -1 / (2 sigma^2)
  double* likelihoods; ///< one a sample
};

namespace host {

/** \brief Writes the keys of sortKey(), and the points' numbers. */
void
makeKeys(const ObservationTask& task);

/** \brief Writes sorted points and bundles. */
void
observe(const ObservationTask& task);

/** \brief Writes the likelihoods of samples. */
template <typename Prepared>
void
compareSamples(const SampleTask<Prepared>& task);

} // namespace host

namespace cuda {

void
makeKeys(const ObservationTask& task, CUstream_st* stream);

void
observe(const ObservationTask& task, CUstream_st* stream);

template <typename Prepared>
void
compareSamples(const SampleTask<Prepared>& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

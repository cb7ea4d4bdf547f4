// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../capsules/prepare_capsule.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief Points to observe. All arrays live on the device. */
struct ObservationTask {
  const Float4* points;
  const float* weights; ///< null: all 1
  std::size_t count;
  Point3 viewpoint;
  float truncation_distance;
  bool whole_rays;        ///< see sortKey()
  std::uint32_t* keys;    ///< one a point
  std::uint32_t* numbers; ///< one a point
  int chunk_count;
  ObservedPoint* observed; ///< chunk_count * chunk_points
  RayBundle* blocks;       ///< chunk_count * chunk_blocks
  RayBundle* chunks;       ///< chunk_count
  double* chunk_weights;   ///< chunk_count: sums of what blocks weigh
};

/** \brief Samples to compare with an observation. All arrays live on the device. */
template <typename Prepared>
struct SampleTask {
  Observation observation;
  const double* chunk_weights;
  DistanceRule rule;
  bool culled;
  const typename SourceOf<Prepared>::type* capsules; ///< sample by sample
  int capsules_per_sample;
  int sample_count;
  Prepared* prepared;  ///< as many as there are capsules
  double* chunk_sums;  ///< sample_count * chunk_count
  double factor;       ///< of the sums: -1 / (2 sigma^2)
  double* likelihoods; ///< one a sample
};

/** \brief What gpu::CapsuleLikelihood asks of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class LikelihoodDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Writes the keys of sortKey(), and the points' numbers. */
  virtual void
  makeKeys(const ObservationTask& task, Queue queue) const = 0;

  /** \brief Writes sorted points and bundles. */
  virtual void
  observe(const ObservationTask& task,
          const std::uint32_t* sorted_numbers,
          Queue queue) const = 0;

  virtual void
  compute(const SampleTask<PreparedCapsule>& task, Queue queue) const = 0;

  virtual void
  compute(const SampleTask<PreparedTaperedCapsule>& task, Queue queue) const = 0;

protected:
  ~LikelihoodDriver() = default;
};

const LikelihoodDriver&
hostLikelihoodDriver();

/** \brief Exists only where the module is built with CUDA. */
const LikelihoodDriver&
cudaLikelihoodDriver();

} // namespace pcl::device

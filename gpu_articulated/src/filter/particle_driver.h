// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particles.h"

struct CUstream_st;

namespace pcl::device {

/** \brief What a particle filter asks of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current. What takes a range can be done for parts of
 * the particles on devices of their own; the rest needs all of them.
 */
class ParticleDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Sets all bytes to zero. */
  virtual void
  clear(void* memory, std::size_t bytes, Queue queue) const = 0;

  /** \brief Makes every particle its own ancestor. */
  virtual void
  resetAncestors(const Particles& particles, Queue queue) const = 0;

  /** \brief Copies poses and velocities of the ancestors to the former ones. */
  virtual void
  gather(const Particles& particles, Queue queue) const = 0;

  /** \brief Moves particles from their start to their poses; the starts of all are there. */
  virtual void
  move(const Particles& particles,
       const ParticleRange& range,
       const MotionTask& task,
       Queue queue) const = 0;

  /** \brief Size of the scratch memory of weigh(). */
  virtual std::size_t
  weightScratchBytes(std::uint32_t count) const = 0;

  /** \brief Turns log-likelihoods into weights, and chooses ancestors by them. */
  virtual void
  weigh(const Particles& particles,
        const WeightTask& weights,
        const ResamplingTask& resampling,
        void* scratch,
        Queue queue) const = 0;

  /** \brief Writes mean and best pose. */
  virtual void
  findMean(const Particles& particles,
           const PoseStatistics& statistics,
           Queue queue) const = 0;

  /** \brief Writes the deviations from the mean, which is there. */
  virtual void
  findDeviations(const Particles& particles,
                 const PoseStatistics& statistics,
                 Queue queue) const = 0;

  /** \brief Writes the covariance about the mean, a square matrix of freedoms. */
  virtual void
  covariance(const Particles& particles,
             const float* mean,
             double* sums,
             float* matrix,
             Queue queue) const = 0;

  /** \brief Ends a frame. */
  virtual void
  countFrame(const Particles& particles, Queue queue) const = 0;

protected:
  ~ParticleDriver() = default;
};

const ParticleDriver&
hostParticleDriver();

/** \brief Exists only where the module is built with CUDA. */
const ParticleDriver&
cudaParticleDriver();

} // namespace pcl::device

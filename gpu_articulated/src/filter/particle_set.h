// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/particles.h"

#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief Limits and deviations of the poses of a skeleton. */
struct PoseLimits {
  std::vector<float> lower;      ///< one an angle
  std::vector<float> upper;      ///< one an angle
  std::vector<float> deviations; ///< one a degree of freedom, over one second
  std::vector<int> ball_starts;  ///< first angle of each ball joint, ascending
  std::vector<float> ball_sides; ///< 1 where its axes are right-handed, else -1
};

/** \brief Motion of particles in a layer. */
struct ParticleMotion {
  device::MotionTask task{}; ///< without arrays, which the particles have
  bool from_spread =
      false;       ///< whether particles are drawn to their mean: findMean() before
  int scales = -1; ///< row of setScales() to multiply; -1: none
};

/** \brief Particles with their weights, on one device: the steps of a particle filter, for
 * likelihoods from anywhere.
 *
 * Steps that take a range work on these particles only, so that several devices can share
 * them; the others need the poses and log-likelihoods of all. After create() and setScales()
 * nothing allocates or waits, but for the first call of each step.
 */
class ParticleSet {
public:
  /** \brief Makes particles on the current device. Those of before are lost. */
  void
  create(const PoseLimits& limits,
         std::uint32_t count,
         bool velocities,
         const Stream& stream);

  /** \brief Replaces the deviations over one second. */
  void
  setDeviations(const std::vector<float>& deviations, const Stream& stream);

  /** \brief Sets rows of scales of the deviations, one row a partition. */
  void
  setScales(const std::vector<float>& scales, const Stream& stream);

  /** \brief Draws all particles about a pose; frames count from 0 again. */
  void
  scatter(const std::vector<float>& pose,
          const std::vector<float>& deviations,
          std::uint64_t seed,
          const Stream& stream);

  /** \brief Takes all poses over, with equal weights; frames count from 0 again. */
  void
  assign(const float* poses, const Stream& stream);

  /** \brief Becomes the copy of a set like this on the same device, between frames. */
  void
  copyFrom(const ParticleSet& other, const Stream& stream);

  /** \brief Copies poses and velocities of the ancestors, to be moved. */
  void
  gather(const Stream& stream) const;

  /** \brief Moves gathered particles. */
  void
  propagate(const device::ParticleRange& range,
            const ParticleMotion& motion,
            const Stream& stream) const;

  /** \brief Copies moved particles to a set like this, on any device. */
  void
  copyTo(ParticleSet& other,
         const device::ParticleRange& range,
         const Stream& stream) const;

  /** \brief Weighs all particles and chooses ancestors. */
  void
  weigh(const device::WeightTask& weights,
        device::ResamplingTask resampling,
        const Stream& stream);

  /** \brief Computes mean and best pose. */
  void
  findMean(const Stream& stream);

  /** \brief Computes mean, best pose and deviations, and ends the frame. */
  void
  finishFrame(const Stream& stream);

  /** \brief Copies the estimate of the last frame to the host. Waits. */
  void
  download(PoseEstimate& estimate, const Stream& stream) const;

  /** \brief Copies the covariance about the mean to the host. Waits. */
  void
  downloadCovariance(Eigen::MatrixXf& covariance, const Stream& stream);

  /** \brief Returns the arrays of all particles. */
  const device::Particles&
  view() const
  {
    return view_;
  }

  const DeviceArray<float>&
  poses() const
  {
    return poses_;
  }

  const DeviceArray<double>&
  logWeights() const
  {
    return log_weights_;
  }

  const DeviceArray<std::uint32_t>&
  ancestors() const
  {
    return ancestors_;
  }

  /** \brief Returns the bytes that create() and the steps allocate. */
  static std::size_t
  requiredMemory(const PoseLimits& limits,
                 std::uint32_t count,
                 bool velocities,
                 bool residual);

private:
  /** \brief Returns the task of a summary, with memory for sums. */
  device::StatisticsTask
  statistics();

  void
  beginFrames(const Stream& stream);

  Device device_ = Device::host();
  device::Particles view_{};
  DeviceArray<float> limits_and_sides_, deviations_, initial_deviations_, initial_pose_,
      scales_;
  DeviceArray<int> parts_and_balls_;
  DeviceArray<float> poses_, former_poses_, velocities_, former_velocities_;
  DeviceArray<double> log_weights_;
  DeviceArray<std::uint64_t> weight_sums_, copies_, residuals_;
  DeviceArray<std::uint32_t> ancestors_;
  DeviceArray<unsigned char> summary_; ///< the state, mean, best and deviations
  DeviceArray<float> covariance_;
  Workspace scan_scratch_, sum_scratch_;
};

} // namespace pcl::gpu

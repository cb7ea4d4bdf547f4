// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particle_driver.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief Particles of a pose space with their weights, on one device: the steps of a
 * particle filter, for likelihoods from anywhere.
 *
 * Steps that take a range work on these particles only, so that several devices can share
 * them; the others need the poses and log-likelihoods of all. After create() and setScales()
 * nothing allocates or waits, but for the first call of each step.
 */
class ParticleSet {
public:
  /** \brief A pose space: limits of all angles, and what deviates how much. */
  struct Space {
    std::vector<float> lower;      ///< one an angle
    std::vector<float> upper;      ///< one an angle
    std::vector<float> deviations; ///< one a degree of freedom, over one second
    std::vector<int> ball_starts;  ///< first angle of each ball joint, ascending
    std::vector<float> ball_sides; ///< 1 where its axes are right-handed, else -1
  };

  /** \brief How particles move. */
  struct Step {
    float noise = 1.0f;      ///< scales the deviations
    float wide_noise = 1.0f; ///< scales those of every fourth particle
    /** \brief Above 0: this part of the particles' differences from their mean is drawn
     * anew, from the differences between particles; findMean() comes before. */
    float renewal = 0.0f;
    float drift = 0.0f; ///< share of the velocity that is kept, times the time step
    float time_step = 1.0f;
    bool first = true; ///< of the frame
    int scales = -1;   ///< which row of setScales() to multiply; -1: none
    std::uint64_t seed = 0;
    std::uint32_t layer = 0;
  };

  /** \brief The summary of a frame, as it is downloaded. */
  struct Summary {
    device::FilterState state;
    std::vector<float> mean, best, deviations;
  };

  /** \brief Makes particles on the current device; what was there is gone. */
  void
  create(const Space& space,
         std::uint32_t count,
         bool velocities,
         const Stream& stream);

  bool
  isEmpty() const
  {
    return count_ == 0;
  }

  std::uint32_t
  count() const
  {
    return count_;
  }

  const Device&
  getDevice() const
  {
    return device_;
  }

  /** \brief Replaces the deviations over one second. */
  void
  setDeviations(const std::vector<float>& deviations, const Stream& stream);

  /** \brief Sets rows of scales of the deviations, one row a layer or group. */
  void
  setScales(const std::vector<float>& scales, const Stream& stream);

  /** \brief Draws all particles about a pose; frames count from 0 again. */
  void
  scatter(const std::vector<float>& pose,
          const std::vector<float>& deviations,
          std::uint64_t seed,
          const Stream& stream);

  /** \brief Takes all particles over, with equal weights; frames count from 0 again. */
  void
  assign(const float* poses, const Stream& stream);

  /** \brief Becomes the copy of a set like this on the same device, between frames. */
  void
  copyFrom(const ParticleSet& other, const Stream& stream);

  /** \brief Copies poses and velocities of the ancestors, to be moved. */
  void
  gather(const Stream& stream);

  /** \brief Moves what was gathered. */
  void
  propagate(const device::ParticleRange& range, const Step& step, const Stream& stream);

  /** \brief Copies what moved to a set like this, on any device. */
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

  /** \brief Computes mean, best pose and deviations. */
  void
  estimate(const Stream& stream);

  /** \brief Ends a frame. */
  void
  countFrame(const Stream& stream);

  /** \brief Copies what is known to the host. Waits. */
  void
  download(Summary& summary, const Stream& stream) const;

  /** \brief Copies the covariance about the mean to the host. Waits.
   * \param[out] matrix a square of degrees of freedom
   */
  void
  downloadCovariance(std::vector<float>& matrix, const Stream& stream);

  /** \brief What was gathered. */
  DeviceArray<float>&
  gatheredPoses()
  {
    return former_poses_;
  }

  DeviceArray<float>&
  poses()
  {
    return poses_;
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

  /** \brief Bytes that create() and the steps allocate. */
  static std::size_t
  requiredMemory(const Space& space,
                 std::uint32_t count,
                 bool velocities,
                 bool residual);

private:
  device::Particles
  view();

  /** \brief The summary, and sums to make it of. */
  device::PoseStatistics
  statistics();

  const float*
  mean() const;

  void
  beginFrames(const Stream& stream);

  const device::ParticleDriver&
  driver() const;

  int
  freedoms() const
  {
    return device::root_freedoms + angles_;
  }

  int
  poseSize() const
  {
    return device::root_size + angles_;
  }

  int angles_ = 0, balls_ = 0, angle_parts_ = 0;
  std::uint32_t count_ = 0;
  Device device_ = Device::host();
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

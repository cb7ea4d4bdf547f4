// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/filter_steps.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief One device's share of a particle filter.
 *
 * It moves and compares a range of the particles; then every share has the poses and
 * log-likelihoods of all, and draws the same conclusions from them. Its functions are called
 * while its device is current, and work on its stream. After create() and setScales() nothing
 * allocates or waits, but for the first call of each function.
 */
struct FilterShare {
  explicit FilterShare(const Device& place) : device(place) {}

  /** \brief Makes particles. Those of before are lost. */
  void
  create(const PoseLimits& limits,
         std::uint32_t count,
         const device::ParticleRange& own,
         bool velocities);

  /** \brief Replaces the deviations over one second. */
  void
  setDeviations(const std::vector<float>& values);

  /** \brief Sets rows of scales of the deviations, one row a partition. */
  void
  setScales(const std::vector<float>& values);

  /** \brief Draws all particles about a pose; frames count from 0 again. */
  void
  scatter(const std::vector<float>& pose,
          const std::vector<float>& pose_deviations,
          std::uint64_t seed);

  /** \brief Takes all poses over, with equal weights; frames count from 0 again. */
  void
  assign(const float* others);

  /** \brief Copies the particles of a share like this on the same device, between frames. */
  void
  copyFrom(const FilterShare& other);

  /** \brief Copies poses and velocities of the ancestors, to be moved. */
  void
  gather();

  /** \brief Moves its gathered particles. */
  void
  propagate(const ParticleMotion& motion);

  /** \brief Copies its moved particles to another share, beside its other work. */
  void
  sendPoses(FilterShare& other) const;

  /** \brief Takes points as the observation; copies them if they are on another device. */
  void
  observe(const DeviceArray<PointXYZ>& observed,
          const Eigen::Vector3f& viewpoint,
          const CapsuleLikelihoodParameters& parameters);

  /** \brief Compares its particles with the points that a likelihood has. */
  void
  compare(CapsuleLikelihood& observer);

  /** \brief Compares its particles by a function of the user. */
  void
  compare(const PoseParticleFilter::LikelihoodFunction& function);

  /** \brief Weighs all particles and chooses ancestors. */
  void
  weigh(device::WeightTask weights, device::ResamplingTask resampling);

  /** \brief Computes mean and best pose. */
  void
  findMean();

  /** \brief Computes mean, best pose and deviations, and ends the frame. */
  void
  finishFrame();

  /** \brief Copies the estimate of the last frame to the host. Waits. */
  void
  download(PoseEstimate& estimate, const Stream& queue) const;

  /** \brief Copies the covariance about the mean to the host. Waits. */
  void
  downloadCovariance(Eigen::MatrixXf& matrix, const Stream& queue);

  /** \brief Returns the bytes that create() and the steps of all particles allocate. */
  static std::size_t
  requiredMemory(const PoseLimits& limits,
                 std::uint32_t count,
                 bool velocities,
                 bool residual);

  Device device;
  device::ParticleRange range{0, 0}; ///< its part of the particles
  Stream stream;                     ///< its work; the caller's for the first share
  Stream copies;                     ///< its copies to other shares

  Event started;  ///< the caller's work before the call is done
  Event gathered; ///< the poses of before are not needed any more
  Event moved;    ///< its particles have moved
  Event compared; ///< its log-likelihoods are there
  Event sent;     ///< all that the others need of it is there
  Event finished; ///< its part of the call is done

  device::Particles particles{}; ///< all of them
  DeviceArray<float> limits_and_sides, deviations, initial_deviations, initial_pose,
      scales;
  DeviceArray<int> parts_and_balls;
  DeviceArray<float> poses, former_poses, velocities, former_velocities;
  DeviceArray<double> log_weights;
  DeviceArray<std::uint64_t> weight_sums, copy_counts, residuals;
  DeviceArray<std::uint32_t> ancestors;
  DeviceArray<unsigned char> summary; ///< the state, mean, best and deviations
  DeviceArray<float> covariance;
  Workspace scan_scratch, sum_scratch;

  ForwardKinematics kinematics;
  CapsuleLikelihood likelihood;
  DeviceArray<PointXYZ> points; ///< copied from another device
  DeviceArray<Capsule> capsules;
  DeviceArray<TaperedCapsule> tapered_capsules;
  DeviceArray<float> own_former_poses;     ///< its part of the gathered particles
  DeviceArray<float> own_poses;            ///< its part of the particles
  DeviceArray<double> log_likelihoods;     ///< of its part
  DeviceArray<double> all_log_likelihoods; ///< empty where there is only one share

private:
  device::StatisticsTask
  statistics();

  void
  beginFrames();
};

/** \brief All shares of a particle filter, in the order of their particles. The caller works
 * on the device of the first. Their work is ordered by events; nothing waits on the host. */
using FilterShares = std::vector<FilterShare>;

/** \brief Shares particles between devices, at least one particle each.
 * \param[in,out] shares keep what fits
 * \param[in] stream the caller's
 * \throws DeviceException if a device fails or runs out of memory
 */
void
createShares(FilterShares& shares,
             const std::vector<Device>& devices,
             const Skeleton::ConstPtr& skeleton,
             const PoseLimits& limits,
             std::uint32_t count,
             bool velocities,
             const Stream& stream);

/** \brief Orders the work of all shares behind the caller's. */
void
startShares(FilterShares& shares, const Stream& stream);

/** \brief Orders the caller's work behind that of all shares. */
void
finishShares(FilterShares& shares);

/** \brief Sends the moved particles of every share to the others. */
void
exchangePoses(FilterShares& shares);

/** \brief Sends the log-likelihoods of every share to all, and orders the work of all behind
 * their arrival. */
void
exchangeLogLikelihoods(FilterShares& shares);

} // namespace pcl::gpu

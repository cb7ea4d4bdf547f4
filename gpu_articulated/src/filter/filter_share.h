// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/particle_set.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <vector>

namespace pcl::gpu {

/** \brief One device's share of a particle filter.
 *
 * It moves and compares a range of the particles; then every share has the poses and
 * log-likelihoods of all, and draws the same conclusions from them. Its functions are called
 * while its device is current.
 */
struct FilterShare {
  explicit FilterShare(const Device& place) : device(place) {}

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

  /** \brief Returns the log-likelihoods of all particles, when they have arrived. */
  const double*
  allLogLikelihoods() const
  {
    return all_log_likelihoods.empty() ? log_likelihoods.ptr()
                                       : all_log_likelihoods.ptr();
  }

  Device device;
  device::ParticleRange range{0, 0};
  Stream stream; ///< its work; the caller's for the first share
  Stream copies; ///< its copies to other shares

  Event started;  ///< the caller's work before the call is done
  Event gathered; ///< the poses of before are not needed any more
  Event moved;    ///< its particles have moved
  Event compared; ///< its log-likelihoods are there
  Event sent;     ///< all that the others need of it is there
  Event finished; ///< its part of the call is done

  ParticleSet particles;
  ForwardKinematics kinematics;
  CapsuleLikelihood likelihood;
  DeviceArray<PointXYZ> points; ///< copied from another device
  DeviceArray<Capsule> capsules;
  DeviceArray<TaperedCapsule> tapered_capsules;
  DeviceArray<float> gathered_poses; ///< its part of the gathered particles
  DeviceArray<float> poses;          ///< its part of the particles
  DeviceArray<double> log_likelihoods;
  DeviceArray<double> all_log_likelihoods; ///< empty where there is only one share
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

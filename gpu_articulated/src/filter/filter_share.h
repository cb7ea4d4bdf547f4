// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particle_set.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/utils/stream.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief One device's share of a particle filter.
 *
 * It moves and compares a range of the particles; then every share has the poses and
 * log-likelihoods of all, and draws the same conclusions from them.
 */
struct FilterShare {
  /** \param[in] place where it works; current while its functions are called */
  explicit FilterShare(const Device& place);

  /** \brief Makes its streams and events. */
  void
  createQueues();

  /** \brief Makes its particles.
   * \param[in] several whether there are other shares
   */
  void
  create(const ParticleSet::Space& space,
         std::uint32_t count,
         const device::ParticleRange& own,
         bool velocities,
         bool several);

  /** \brief Copies points that are on another device. */
  void
  takePoints(const DeviceArray<PointXYZ>& source);

  /** \brief Compares its particles with the observation. */
  void
  compareWithPoints(CapsuleLikelihood& compared, const Skeleton& skeleton);

  /** \brief Copies its moved particles to another share, beside what it does next. */
  void
  sendPoses(FilterShare& other) const;

  /** \brief Copies its log-likelihoods to a share, itself too. */
  void
  sendLogLikelihoods(FilterShare& other) const;

  /** \brief The log-likelihoods of all particles, when they have arrived. */
  const double*
  allLogLikelihoods() const;

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
  CapsuleLikelihood likelihood; ///< of the shares behind the first
  DeviceArray<PointXYZ> points; ///< of the shares behind the first
  DeviceArray<Capsule> capsules;
  DeviceArray<TaperedCapsule> tapered_capsules;
  DeviceArray<float> gathered_poses; ///< its part of what was gathered
  DeviceArray<float> poses;          ///< its part of the particles
  DeviceArray<double> log_likelihoods;
  DeviceArray<double> all_log_likelihoods; ///< empty where there is only one share
};

/** \brief All shares of a particle filter, in the order of their particles. Their work is
 * ordered by events; nothing waits on the host. */
class FilterShares {
public:
  /** \brief Shares particles between devices, at least one particle each.
   * \param[in] stream the caller's
   * \throws DeviceException if a device fails or runs out of memory
   */
  void
  create(const std::vector<Device>& devices,
         const Skeleton::ConstPtr& skeleton,
         const ParticleSet::Space& space,
         std::uint32_t count,
         bool velocities,
         const Stream& stream);

  bool
  areSeveral() const
  {
    return shares_.size() > 1;
  }

  /** \brief The share of the device that the caller works on. */
  FilterShare&
  first()
  {
    return shares_.front();
  }

  /** \brief The place of a share, that of the first is 0. */
  std::size_t
  placeOf(const FilterShare& share) const
  {
    return static_cast<std::size_t>(&share - shares_.data());
  }

  FilterShare&
  at(std::size_t place)
  {
    return shares_.at(place);
  }

  /** \brief Takes the particles of shares of the same devices over, between frames. */
  void
  copyFrom(FilterShares& others);

  /** \brief Has all shares start behind the caller's work. */
  void
  start(const Stream& stream);

  /** \brief Has the caller's work go on behind that of all shares. */
  void
  finish();

  /** \brief Calls a function for every share, its device current.
   * \param[in] function takes the share
   */
  template <typename Function>
  void
  forEach(const Function& function)
  {
    for (FilterShare& share : shares_) {
      const ScopedDevice scope(share.device);
      function(share);
    }
  }

  /** \brief Brings points and likelihood settings to all shares.
   * \param[in] points on the first device
   * \param[in,out] likelihood that of the first share; its settings are everyone's
   */
  void
  observe(const DeviceArray<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint,
          CapsuleLikelihood& likelihood);

  /** \brief Has the shares send their particles to one another, which move() is through
   * with. */
  void
  exchangePoses();

  /** \brief Has the shares send their log-likelihoods to one another, and go on when they
   * have everything. */
  void
  exchangeLogLikelihoods();

private:
  std::vector<FilterShare> shares_;
};

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/filter_steps.h"
#include "likelihood/point_choice.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief One device's share of a particle filter.
 *
 * It compares a range of the particles. Then every share gets the log-likelihoods of
 * all, and computes the same results from them. Shares of one process move the same
 * range only, and copy their poses to each other. Those of several processes move all
 * particles, which have the same random numbers everywhere: no poses are sent.
 *
 * Its functions are called while its device is current, and work on its stream. After
 * create() and upload() nothing allocates or waits, except for the first call of each
 * function.
 */
struct FilterShare {
  explicit FilterShare(const Device& place) : device(place) {}

  /** \brief Makes particles of its skeleton, and drops the former ones. */
  void
  create(const PoseParticleFilterParameters& parameters,
         const device::ParticleRange& moved_range,
         const device::ParticleRange& compared_range);

  /** \brief Waits until the exchanges of a queue with other ranks are done, before a
   * copy from or to the host waits for them. Throws if a rank failed. */
  void
  waitForRanks(const Stream& queue) const
  {
    if (communicator)
      communicator->synchronize(queue);
  }

  /** \brief Replaces settings. Waits before and after. */
  template <typename T>
  void
  upload(const std::vector<T>& values, DeviceArray<T>& array) const
  {
    waitForRanks(stream);
    stream.synchronize();
    createOn(device, array, values.size());
    copyAsync(values.data(), array.ptr(), values.size() * sizeof(T), stream);
    stream.synchronize();
  }

  /** \brief Draws all particles about a pose; frames count from 0 again. */
  void
  scatter(const std::vector<float>& pose,
          const std::vector<float>& pose_deviations,
          std::uint64_t seed);

  /** \brief Copies all poses, with equal weights; frames count from 0 again. */
  void
  assign(const float* others);

  /** \brief Copies the particles of a share of another island on the same device,
   * between frames. */
  void
  copyFrom(const FilterShare& other);

  /** \brief Copies the estimate of the last frame from a rank to all others. */
  void
  broadcastEstimate(int root);

  /** \brief Copies the particles after a frame from a rank to all others. */
  void
  broadcastParticles(int root);

  /** \brief Moves its gathered particles. */
  void
  propagate(const FilterStep& step);

  /** \brief Takes points as the observation; copies them if they are on another
   * device. If there are too many, chooses those that matter to a pose.
   * \param[in] all the points
   * \param[in] all_backgrounds of the points; may be empty
   * \param[in] viewpoint of the points
   * \param[in] pose on the share's device
   * \param[in] parameters of the filter
   */
  void
  observe(const DeviceArray<PointXYZ>& all,
          const DeviceArray<float>& all_backgrounds,
          const Eigen::Vector3f& viewpoint,
          const float* pose,
          const PoseParticleFilterParameters& parameters);

  /** \brief Takes the observation of a share of another island on the same device. */
  void
  shareObservation(const FilterShare& observer,
                   const PoseParticleFilterParameters& parameters)
  {
    likelihood.setParameters(parameters.likelihood);
    likelihood.shareObservation(observer.likelihood);
  }

  /** \brief Compares its particles with the observation. */
  void
  compare();

  /** \brief Compares its particles by a function of the user. */
  void
  compare(const PoseParticleFilter::LikelihoodFunction& function);

  /** \brief Exchanges log-likelihoods with the other ranks, if ranks share the
   * particles. */
  void
  gatherLogLikelihoods();

  /** \brief Weighs all particles and chooses ancestors. */
  void
  weigh(device::WeighTask task);

  /** \brief Computes mean and best pose; at the end of a frame deviations, too. */
  void
  summarize(bool ends_frame);

  /** \brief Copies the estimate of the last frame to the host. Waits. */
  void
  download(PoseEstimate& estimate, const Stream& queue) const;

  /** \brief Copies the covariance about the mean to the host. Waits. */
  void
  downloadCovariance(Eigen::MatrixXf& matrix, const Stream& queue) const;

  /** \brief Returns the bytes that create() allocates. */
  std::size_t
  estimateMemory(const PoseParticleFilterParameters& parameters,
                 const Skeleton& skeleton) const;

  /** \brief Returns the bytes that weigh() and summarize() allocate. */
  std::size_t
  estimateScratch(const PoseParticleFilterParameters& parameters,
                  const Skeleton& skeleton) const;

  Device device;
  Communicator* communicator = nullptr; ///< the filter's; null: a single process
  device::ParticleRange moved{0, 0};    ///< the particles that it moves
  device::ParticleRange compared{0, 0}; ///< those that it compares; may be none
  Stream stream;                        ///< its work; the caller's for the first share
  Stream copies;                        ///< its copies to other shares
  bool has_proposal = false;            ///< for the next frame

  Event gathered; ///< the former poses are no longer needed
  Event reached;  ///< its work up to the latest point of exchange is done

  device::Particles particles{}; ///< all of them
  DeviceArray<float> limits_and_sides, initial_deviations, initial_pose;
  DeviceArray<float> deviations; ///< over one second
  DeviceArray<float> scales;     ///< of the deviations, a row for each partition
  DeviceArray<float> rest;       ///< pose that angles return to; may be empty
  DeviceArray<float> proposal;   ///< pose that some particles start from
  DeviceArray<int> parts_and_balls;
  DeviceArray<float> poses;
  DeviceArray<double> log_weights;
  DeviceArray<std::uint32_t> ancestors;
  DeviceArray<char> memory; ///< all other arrays of the particles
  DeviceArray<std::uint64_t> copy_counts, residuals;
  Workspace scan_scratch, sum_scratch;

  ForwardKinematics kinematics;
  CapsuleLikelihood likelihood;
  DeviceArray<PointXYZ> points; ///< copied from another device
  DeviceArray<float> backgrounds;
  DeviceArray<TaperedCapsule> body; ///< of the pose that points are chosen by
  PointChoice choice;
  DeviceArray<Capsule> capsules;
  DeviceArray<TaperedCapsule> tapered_capsules;
  DeviceArray<float> moved_former_poses;   ///< the gathered particles that it moves
  DeviceArray<float> compared_poses;       ///< the particles that it compares
  DeviceArray<double> log_likelihoods;     ///< of these
  DeviceArray<double> all_log_likelihoods; ///< empty without other shares or ranks

private:
  template <typename T>
  void
  copyHere(const DeviceArray<T>& other, DeviceArray<T>& copy) const;

  void
  setPoints(const DeviceArray<PointXYZ>& observed,
            const DeviceArray<float>& weights,
            const DeviceArray<float>& known_backgrounds,
            const Eigen::Vector3f& viewpoint);

  void
  beginFrames();

  void
  broadcastMemory(char* first, int root);
};

/** \brief All shares of a particle filter, in the order of their particles. The caller
 * works on the device of the first. Their work is ordered by events; nothing waits on
 * the host. */
using FilterShares = std::vector<FilterShare>;

/** \brief Calls a function with every share, while its device is current. */
template <typename Function>
void
forEachShare(FilterShares& shares, const Function& function)
{
  for (FilterShare& share : shares) {
    const ScopedDevice scope(share.device);
    function(share);
  }
}

/** \brief Returns whether ranks share the particles of each island. With at least as
 * many islands as ranks, each rank runs whole islands. */
inline bool
splitsIslands(const PoseParticleFilterParameters& parameters,
              const Communicator* communicator)
{
  return communicator && parameters.islands < communicator->size();
}

/** \brief Shares the particles of an island between devices, at least one particle
 * each, or between ranks.
 * \param[in,out] shares existing ones on the same devices keep their memory
 * \param[in] devices a single one with a communicator
 * \param[in] communicator null: a single process
 * \param[in] skeleton of the particles
 * \param[in] parameters of the filter
 * \param[in] stream the caller's
 * \throws DeviceException if a device fails or runs out of memory
 */
void
createShares(FilterShares& shares,
             const std::vector<Device>& devices,
             Communicator* communicator,
             const Skeleton::ConstPtr& skeleton,
             const PoseParticleFilterParameters& parameters,
             const Stream& stream);

/** \brief Orders the work of all shares behind the caller's. */
void
startShares(FilterShares& shares, const Stream& stream);

/** \brief Orders the caller's work behind that of all shares. */
void
finishShares(FilterShares& shares);

/** \brief Calls a function with every share, behind and before the caller's work. */
template <typename Function>
void
joinShares(FilterShares& shares, const Stream& stream, const Function& function)
{
  startShares(shares, stream);
  forEachShare(shares, function);
  finishShares(shares);
}

/** \brief Sends the moved particles of every share to the others. */
void
exchangePoses(FilterShares& shares);

/** \brief Sends the log-likelihoods of every share to all, also to other ranks, and
 * orders the work of all behind their arrival. */
void
exchangeLogLikelihoods(FilterShares& shares);

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>
#include <pcl/tracking/coherence.h>

#include <Eigen/Core>

#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Computes the agreement of a rigid body of capsules with an observed cloud: a
 * coherence for pcl::tracking::ParticleFilterTracker and its kin, by CapsuleLikelihood.
 *
 * PCL's trackers move a reference cloud by each particle's pose and ask the coherence
 * about the moved cloud. Here the reference cloud stands for capsules:
 * makeReferenceCloud() makes it, and the moved cloud then is the moved capsules.
 *
 * \code
 * pcl::gpu::CapsuleCoherence<PointT>::Ptr coherence(
 *     new pcl::gpu::CapsuleCoherence<PointT>);
 * coherence->setCapsules(capsules); // about the body's own origin
 * tracker.setCloudCoherence(coherence);
 * tracker.setReferenceCloud(coherence->makeReferenceCloud());
 * tracker.setUseNormal(false);
 * \endcode
 *
 * The coherence follows PCL's convention, minus a sum of agreements, so that less is
 * better and 0 is no agreement at all:
 *
 *   w = -1 / (2 sigma^2) * sum_i (tau^2 - d_i^2)
 *
 * over the points of the target cloud. It is the log-likelihood of no capsules less
 * that of the capsules. Points farther than tau from all of them add nothing, so that
 * PCL may crop them.
 *
 * The target is seen from its sensor origin, unless setViewPoint() chose another
 * viewpoint. Points that are not finite are skipped. Indices and PCL's point coherences
 * are not used.
 *
 * It runs on the device that is current for the thread that calls initCompute() after
 * setTargetCloud(). PCL asks about one particle at a time, from several threads; calls
 * wait for one another. To weigh all particles at once use ArticulatedTracker.
 *
 * No exception may leave a parallel region of OpenMP, in which PCL's trackers call. An
 * exception there ends the call with a coherence of 0; the next initCompute() outside
 * throws it.
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal. For
 * other types define PCL_NO_PRECOMPILE before the first include.
 * \ingroup gpu_articulated
 */
template <typename PointT>
class CapsuleCoherence : public tracking::PointCloudCoherence<PointT> {
public:
  /** \brief PCL's class. */
  using Base = tracking::PointCloudCoherence<PointT>;
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<CapsuleCoherence<PointT>>;
  /** \brief Shared pointer to a constant object. */
  using ConstPtr = shared_ptr<const CapsuleCoherence<PointT>>;
  /** \brief Cloud of points. */
  using PointCloudIn = typename Base::PointCloudIn;
  /** \brief Shared pointer to a cloud. */
  using PointCloudInPtr = typename Base::PointCloudInPtr;
  /** \brief Shared pointer to a cloud that does not change. */
  using PointCloudInConstPtr = typename Base::PointCloudInConstPtr;

  /** \brief Makes a coherence without capsules. */
  CapsuleCoherence() { coherence_name_ = "gpu::CapsuleCoherence"; }

  /** \brief Sets the body.
   * \param[in] capsules in the body's own frame, metres
   * \throws pcl::BadArgumentException if there are none, a number is not finite, or a
   * radius is below 0
   */
  void
  setCapsules(const std::vector<TaperedCapsule>& capsules);

  /** \return the body's capsules */
  const std::vector<TaperedCapsule>&
  getCapsules() const
  {
    return capsules_;
  }

  /** \brief Makes the cloud to give to the tracker's setReferenceCloud().
   *
   * It holds a and b of every capsule, then the eight corners of a box around the skin
   * and everything within the truncation distance of it: PCL's trackers crop the target
   * to the box of the moved reference clouds.
   * \return 2 points a capsule and 8 more
   * \throws pcl::BadArgumentException if no capsules were set
   */
  PointCloudInPtr
  makeReferenceCloud() const;

  /** \brief Returns the likelihood, to set its parameters. A new truncation distance
   * takes effect with the next target cloud, and needs another reference cloud.
   * \return the likelihood; its points are set by this class
   */
  CapsuleLikelihood&
  getLikelihood()
  {
    return likelihood_;
  }

  /** \brief Sets the viewpoint of the target, in place of its sensor origin.
   * \param[in] viewpoint in the target's frame, metres
   * \throws pcl::BadArgumentException if it is not finite
   */
  void
  setViewPoint(const Eigen::Vector3f& viewpoint);

  /** \brief Makes the sensor origin of the target its viewpoint again (the default). */
  void
  useSensorOriginAsViewPoint()
  {
    viewpoint_.reset();
    target_is_set_.value = false;
  }

  /** \brief Sets the observation.
   * \param[in] cloud uploaded by the next initCompute()
   */
  void
  setTargetCloud(const PointCloudInConstPtr& cloud) override
  {
    target_input_ = cloud;
    target_is_set_.value = false;
  }

  /** \brief Uploads the target cloud if it is new. compute() calls it, too.
   * \return true; false if it failed in a parallel region
   * \throws pcl::InitFailedException if there are no capsules or no target cloud
   * \throws DeviceException if the device fails or runs out of memory
   * \throws pcl::PCLException an exception of a parallel region since the last call
   */
  bool
  initCompute() override;

protected:
  using Base::coherence_name_;
  using Base::target_input_;

  /** \brief Computes the coherence of the target with a moved reference cloud.
   * \param[in] cloud the reference cloud, moved
   * \param[in] indices not used
   * \param[out] w the coherence
   * \throws pcl::BadArgumentException if the cloud does not have as many points as the
   * reference cloud
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeCoherence(const PointCloudInConstPtr& cloud,
                   const IndicesConstPtr& indices,
                   float& w) override;

private:
  /** \brief Memory on the device, and on the way to it, that stays from call to
   * call. */
  struct DeviceSide {
    detail::PointUpload upload;
    DeviceArray<TaperedCapsule> capsules;
    DeviceArray<double> log_likelihoods;
  };

  double
  computeLogLikelihood(const std::vector<TaperedCapsule>& capsules);

  void
  prepareTarget();

  /** \brief Calls a function. Keeps an exception that it throws in a parallel region.
   * \return true; false if it threw there
   */
  template <typename Function>
  bool
  attempt(const Function& function);

  std::vector<TaperedCapsule> capsules_;
  CapsuleLikelihood likelihood_;
  std::optional<Eigen::Vector3f> viewpoint_;
  detail::Unshared<bool> target_is_set_;
  detail::Unshared<std::optional<Device>>
      device_;           // of the target; none for an empty one
  double nothing_ = 0.0; // log-likelihood of no capsules
  detail::Scratch<DeviceSide> scratch_;
  detail::Unshared<std::mutex> mutex_;
  detail::Unshared<std::exception_ptr> kept_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/articulated/impl/capsule_coherence.hpp>
#endif

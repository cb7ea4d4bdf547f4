// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/pose_state.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>
#include <pcl/tracking/tracker.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstdint>
#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Follows a skeleton through clouds: stands where a
 * pcl::tracking::ParticleFilterOMPTracker does, for bodies with joints.
 *
 * Uploads each cloud to the calling thread's current device, runs PoseParticleFilter there
 * and downloads its estimate. All frames must be computed on one device.
 *
 * \code
 * pcl::gpu::ArticulatedTracker<pcl::PointXYZ> tracker;
 * tracker.setSkeleton(skeleton);
 * tracker.setInitialPose(pose);
 * for (...) {
 *   tracker.setInputCloud(cloud);
 *   tracker.compute();
 *   const pcl::gpu::PoseState result = tracker.getResult();
 * }
 * \endcode
 *
 * What a user of PCL's class should know:
 *  - There is no reference cloud and no coherence: the skeleton's capsules are the model, and
 *    CapsuleLikelihood compares them with the cloud.
 *  - Clouds may be organized or not; points that are not finite are skipped, and setIndices()
 *    chooses points. An empty cloud tells nothing, so that the particles only move.
 *  - Clouds are seen from their sensor origin, unless setViewPoint() chose another viewpoint.
 *  - The noise of each step is that of the motion model: setRootDeviation() and the deviations
 *    of the skeleton's angles, by the time between frames.
 *  - getFilter() gives access to everything else: motion model, resampling, annealing.
 *  - compute() throws where PCL's prints.
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal. For other
 * types define PCL_NO_PRECOMPILE before the first include.
 * \ingroup gpu_articulated
 */
template <typename PointT>
class ArticulatedTracker : public tracking::Tracker<PointT, PoseState> {
public:
  /** \brief PCL's class. */
  using Base = tracking::Tracker<PointT, PoseState>;
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<ArticulatedTracker<PointT>>;
  /** \brief Shared pointer to what does not change. */
  using ConstPtr = shared_ptr<const ArticulatedTracker<PointT>>;
  /** \brief Cloud of states. */
  using PointCloudState = typename Base::PointCloudState;
  /** \brief Shared pointer to a cloud of states. */
  using PointCloudStatePtr = typename Base::PointCloudStatePtr;

  /** \brief Makes a tracker without a skeleton. */
  ArticulatedTracker();

  /** \brief Sets whose pose is followed. Tracking starts anew.
   * \param[in] skeleton one with capsules, and with no more angles than a PoseState holds
   * \throws pcl::BadArgumentException if it is null, has no joints or no capsules, or more
   * angles
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return whose pose is followed; null if nothing was set */
  const Skeleton::ConstPtr&
  getSkeleton() const;

  /** \brief Sets the pose that the first frame starts from.
   * \param[in] pose Skeleton::poseSize() numbers, checked by compute(); empty, as by default,
   * for the rest pose at getTrans()
   */
  void
  setInitialPose(const std::vector<float>& pose);

  /** \brief Sets the pose that the first frame starts from.
   * \param[in] state with as many angles as the skeleton has, checked by compute()
   */
  void
  setInitialPose(const PoseState& state);

  /** \brief Sets where the root is in the first frame, if there was no setInitialPose().
   * \param[in] transform root-to-world
   */
  void
  setTrans(const Eigen::Affine3f& transform);

  /** \return where the root is in the first frame */
  Eigen::Affine3f
  getTrans() const;

  /** \brief Sets how uncertain the pose of the first frame is.
   * \param[in] initial_noise_covariance variances of all degrees of freedom (see PoseState),
   * checked by compute(); empty, as by default, for what the motion does in a tenth of a
   * second
   */
  void
  setInitialNoiseCovariance(const std::vector<double>& initial_noise_covariance);

  /** \brief Sets the number of particles. Tracking starts anew.
   * \param[in] particle_num 2000 by default
   * \throws pcl::BadArgumentException unless from 1 to PoseParticleFilter::max_particle_count
   */
  void
  setParticleNum(int particle_num);

  /** \return the number of particles */
  int
  getParticleNum() const;

  /** \brief Sets how often the particles are moved and weighed in each frame: the filter's
   * annealing layers.
   * \param[in] iteration_num 1 by default
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setIterationNum(int iteration_num);

  /** \return how often the particles are moved and weighed in each frame */
  int
  getIterationNum() const;

  /** \brief Sets what all random numbers come from: the same gives the same results.
   * \param[in] seed any number, 0 by default
   */
  void
  setSeed(std::uint64_t seed);

  /** \brief Sets the deviation of points from the skin. See CapsuleLikelihood.
   * \param[in] sigma metres, 0.05 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setSigma(float sigma);

  /** \brief Sets the distance beyond which a point is an outlier. See CapsuleLikelihood.
   * \param[in] distance metres, 0.1 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setTruncationDistance(float distance);

  /** \brief Sets how much the root moves over one second.
   * \param[in] translation deviation along each axis, metres, 0.5 by default
   * \param[in] rotation deviation about each axis, radians, 1 by default
   * \throws pcl::BadArgumentException if one is below 0 or not finite
   */
  void
  setRootDeviation(float translation, float rotation);

  /** \brief Sets the time between frames; it may change from frame to frame. The stamps of
   * clouds are not used.
   * \param[in] frame_rate frames a second, 30 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setFrameRate(float frame_rate);

  /** \return frames a second */
  float
  getFrameRate() const;

  /** \brief Sets where clouds are seen from, in place of their sensor origin.
   * \param[in] viewpoint in the clouds' frame, metres
   * \throws pcl::BadArgumentException if it is not finite
   */
  void
  setViewPoint(const Eigen::Vector3f& viewpoint);

  /** \brief Clouds are seen from their sensor origin again (the default). */
  void
  useSensorOriginAsViewPoint();

  /** \brief Gives access to all settings. Skeleton and particles belong to the tracker.
   * \return the filter
   */
  PoseParticleFilter&
  getFilter();

  /** \return mean pose of the last frame; of the default state before the first one */
  PoseState
  getResult() const override;

  /** \return what the last frame brought: mean, best pose, deviations, evidence; empty before
   * the first one */
  const PoseEstimate&
  getEstimate() const;

  /** \brief Downloads the particles, those of the leading island where the filter has several.
   * \return the particles with their weights, which sum up to 1; null before the first frame
   * \throws DeviceException if the device fails
   */
  PointCloudStatePtr
  getParticles() const;

  /** \brief Computes how the particles spread about the mean pose.
   * \return covariance of all degrees of freedom (see PoseState; the rotation vector is in
   * the frame of the mean); of size 0 before the first frame
   * \throws DeviceException if the device fails or runs out of memory
   */
  Eigen::MatrixXf
  getCovariance();

  /** \brief Converts a state to the pose of its root joint.
   * \param[in] particle a state
   * \return root-to-world
   */
  Eigen::Affine3f
  toEigenMatrix(const PoseState& particle) const;

  /** \brief Drops the particles: the next frame starts from the initial pose. */
  void
  resetTracking();

protected:
  using Base::indices_;
  using Base::input_;
  using Base::tracker_name_;
  using Base::use_indices_;

  /** \brief Checks input and settings.
   * \return true
   * \throws pcl::InitFailedException if there is no input cloud or no skeleton
   * \throws pcl::BadArgumentException if an index lies outside the cloud
   */
  bool
  initCompute() override;

private:
  /** \brief Runs the device class.
   * \throws pcl::BadArgumentException as PoseParticleFilter::initialize() and processFrame()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeTracking() override;

  void
  initParticles();

  PoseParticleFilter filter_;
  std::vector<float> initial_pose_;
  Eigen::Affine3f trans_ = Eigen::Affine3f::Identity();
  std::vector<double> initial_noise_covariance_;
  float frame_rate_ = 30.0f;
  std::optional<Eigen::Vector3f> viewpoint_;
  PoseEstimate estimate_;
  PoseState result_;
  bool has_result_ = false;
  detail::Scratch<detail::PointUpload> upload_;

public:
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/articulated/impl/articulated_tracker.hpp>
#endif

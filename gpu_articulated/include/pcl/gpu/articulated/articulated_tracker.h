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

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Follows a skeleton through clouds: replaces a
 * pcl::tracking::ParticleFilterOMPTracker for bodies with joints.
 *
 * Uploads each cloud to the calling thread's current device, runs PoseParticleFilter
 * there and downloads its estimate. All frames must be computed on one device.
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
 * Differences from PCL's class:
 *  - There is no reference cloud and no coherence: the skeleton's capsules are the
 *    model, and CapsuleLikelihood compares them with the cloud.
 *  - Clouds may be organized or not; points that are not finite are skipped, and
 *    setIndices() chooses points. With an empty cloud the particles only move.
 *  - Clouds are seen from their sensor origin, unless setViewPoint() chose another
 *    viewpoint.
 *  - setBackground() gives the room behind the body: where the camera sees the room,
 *    there is no body before it.
 *  - The noise of each step is that of the motion model: the root's deviations of the
 *    filter's parameters and the deviations of the skeleton's angles, by the time
 *    between frames.
 *  - getFilter() has all other parameters: seed, likelihood, motion model, annealing.
 *  - compute() throws exceptions; PCL's prints errors.
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal. For
 * other types define PCL_NO_PRECOMPILE before the first include.
 * \ingroup gpu_articulated
 */
template <typename PointT>
class ArticulatedTracker : public tracking::Tracker<PointT, PoseState> {
public:
  /** \brief PCL's class. */
  using Base = tracking::Tracker<PointT, PoseState>;
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<ArticulatedTracker<PointT>>;
  /** \brief Shared pointer to a constant object. */
  using ConstPtr = shared_ptr<const ArticulatedTracker<PointT>>;
  /** \brief Cloud of states. */
  using PointCloudState = typename Base::PointCloudState;
  /** \brief Shared pointer to a cloud of states. */
  using PointCloudStatePtr = typename Base::PointCloudStatePtr;
  /** \brief Shared pointer to a constant cloud of points. */
  using PointCloudInConstPtr = typename Base::PointCloudInConstPtr;

  /** \brief Makes a tracker without a skeleton. */
  ArticulatedTracker() { tracker_name_ = "gpu::ArticulatedTracker"; }

  /** \brief Sets the skeleton. Tracking starts again.
   * \param[in] skeleton one with capsules, and with no more angles than a PoseState
   * holds
   * \throws pcl::BadArgumentException if it is null, has no joints or no capsules, or
   * more angles
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return the skeleton; null if none was set */
  const Skeleton::ConstPtr&
  getSkeleton() const
  {
    return filter_.getSkeleton();
  }

  /** \brief Sets the pose that the first frame starts from.
   * \param[in] pose Skeleton::poseSize() numbers, checked by compute(); empty, as by
   * default, for the rest pose at getTrans()
   */
  void
  setInitialPose(const std::vector<float>& pose)
  {
    initial_pose_ = pose;
  }

  /** \brief Sets the pose that the first frame starts from.
   * \param[in] state with as many angles as the skeleton has, checked by compute()
   */
  void
  setInitialPose(const PoseState& state)
  {
    setInitialPose(state.toPose());
  }

  /** \brief Sets the pose of the root in the first frame, for use without
   * setInitialPose().
   * \param[in] transform root-to-world
   */
  void
  setTrans(const Eigen::Affine3f& transform)
  {
    trans_ = transform;
  }

  /** \return the pose of the root in the first frame */
  Eigen::Affine3f
  getTrans() const
  {
    return trans_;
  }

  /** \brief Sets the uncertainty of the pose of the first frame.
   * \param[in] initial_noise_covariance variances of all degrees of freedom (see
   * PoseState), checked by compute(); empty, as by default, for the motion of a tenth
   * of a second
   */
  void
  setInitialNoiseCovariance(const std::vector<double>& initial_noise_covariance)
  {
    initial_noise_covariance_ = initial_noise_covariance;
  }

  /** \brief Sets the number of particles. Tracking starts again.
   * \param[in] particle_num 2000 by default
   * \throws pcl::BadArgumentException unless from 1 to
   * PoseParticleFilterParameters::max_particle_count
   */
  void
  setParticleNum(int particle_num);

  /** \return the number of particles */
  int
  getParticleNum() const
  {
    return static_cast<int>(filter_.getParameters().particle_count);
  }

  /** \brief Sets the filter's annealing layers, in each of which the particles are
   * moved and weighed.
   * \param[in] iteration_num 1 by default
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setIterationNum(int iteration_num)
  {
    setParameter(filter_, &PoseParticleFilterParameters::layers, iteration_num);
  }

  /** \return the filter's annealing layers */
  int
  getIterationNum() const
  {
    return filter_.getParameters().layers;
  }

  /** \brief Sets the time between frames; it may change from frame to frame. The stamps
   * of clouds are not used.
   * \param[in] frame_rate frames a second, 30 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setFrameRate(float frame_rate);

  /** \return frames a second */
  float
  getFrameRate() const
  {
    return frame_rate_;
  }

  /** \brief Sets the viewpoint of the clouds, in place of their sensor origin.
   * \param[in] viewpoint in the clouds' frame, metres
   * \throws pcl::BadArgumentException if it is not finite
   */
  void
  setViewPoint(const Eigen::Vector3f& viewpoint);

  /** \brief Makes the sensor origin of each cloud its viewpoint again (the default). */
  void
  useSensorOriginAsViewPoint()
  {
    viewpoint_.reset();
  }

  /** \brief Sets the room without the body, as the same camera sees it from the same
   * place.
   * \param[in] background a point on the ray of each point of the input clouds, in
   * their order, such as an organized cloud of the empty room; its size is checked by
   * compute(). Not finite where it is not known. Null, as by default: not known at all
   */
  void
  setBackground(const PointCloudInConstPtr& background)
  {
    background_ = background;
  }

  /** \return the room without the body; null if it is not known */
  const PointCloudInConstPtr&
  getBackground() const
  {
    return background_;
  }

  /** \brief Returns the filter, to set its parameters. Its skeleton and particles
   * belong to the tracker.
   * \return the filter
   */
  PoseParticleFilter&
  getFilter()
  {
    return filter_;
  }

  /** \return mean pose of the last frame; of the default state before the first one */
  PoseState
  getResult() const override
  {
    return result_;
  }

  /** \return the estimate of the last frame: mean, best pose, deviations, evidence;
   * empty before the first one */
  const PoseEstimate&
  getEstimate() const
  {
    return estimate_;
  }

  /** \brief Downloads the particles. If the filter has several islands, they are those
   * of the leading one.
   * \return the particles with their weights, which sum up to 1; null before the first
   * frame
   * \throws DeviceException if the device fails
   */
  PointCloudStatePtr
  getParticles() const;

  /** \brief Computes the spread of the particles about the mean pose.
   * \return covariance of all degrees of freedom (see PoseState; the rotation vector is
   * in the frame of the mean); of size 0 before the first frame
   * \throws DeviceException if the device fails or runs out of memory
   */
  Eigen::MatrixXf
  getCovariance();

  /** \brief Converts a state to the pose of its root joint.
   * \param[in] particle a state
   * \return root-to-world
   */
  Eigen::Affine3f
  toEigenMatrix(const PoseState& particle) const
  {
    return particle.toEigenMatrix();
  }

  /** \brief Drops the particles: the next frame starts from the initial pose. */
  void
  resetTracking()
  {
    filter_.reset();
    has_result_ = false;
  }

protected:
  using Base::indices_;
  using Base::input_;
  using Base::tracker_name_;
  using Base::use_indices_;

  /** \brief Checks input and settings.
   * \return true
   * \throws pcl::InitFailedException if there is no input cloud or no skeleton
   * \throws pcl::BadArgumentException if an index lies outside the cloud, or the
   * background has another size
   */
  bool
  initCompute() override;

private:
  /** \brief Runs the device class.
   * \throws pcl::BadArgumentException as PoseParticleFilter::initialize() and
   * processFrame()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeTracking() override;

  void
  initParticles();

  /** \brief Returns the distances of the background from the viewpoint on the rays of
   * the chosen points. */
  std::vector<float>
  backgroundDistances(const Eigen::Vector3f& viewpoint) const;

  PoseParticleFilter filter_;
  std::vector<float> initial_pose_;
  Eigen::Affine3f trans_ = Eigen::Affine3f::Identity();
  std::vector<double> initial_noise_covariance_;
  float frame_rate_ = 30.0f;
  std::optional<Eigen::Vector3f> viewpoint_;
  PointCloudInConstPtr background_;
  PoseEstimate estimate_;
  PoseState result_;
  bool has_result_ = false;
  detail::Scratch<detail::PointUpload> upload_;
  detail::Scratch<DeviceArray<float>> background_upload_;

public:
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/articulated/impl/articulated_tracker.hpp>
#endif

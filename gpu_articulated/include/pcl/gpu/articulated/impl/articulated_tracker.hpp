// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/articulated_tracker.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace pcl::gpu {

template <typename PointT>
void
ArticulatedTracker<PointT>::setSkeleton(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "null", "a skeleton");
  checkArgument(!skeleton->getCapsules().empty(),
                "number of the skeleton's capsules",
                0,
                "1 or more");
  const int angles = skeleton->poseSize() - Skeleton::root_size;
  checkArgument(angles <= PoseState::max_angles,
                "number of the skeleton's angles",
                angles,
                "at most 120, as many as a PoseState holds");
  filter_.setSkeleton(skeleton);
  resetTracking();
}

template <typename PointT>
void
ArticulatedTracker<PointT>::setParticleNum(int particle_num)
{
  checkArgument(particle_num >= 1, "number of particles", particle_num, "1 or more");
  setParameter(filter_, &PoseParticleFilterParameters::particle_count, particle_num);
  resetTracking();
}

template <typename PointT>
void
ArticulatedTracker<PointT>::setFrameRate(float frame_rate)
{
  checkPositive("frame rate", frame_rate);
  frame_rate_ = frame_rate;
}

template <typename PointT>
void
ArticulatedTracker<PointT>::setViewPoint(const Eigen::Vector3f& viewpoint)
{
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite numbers");
  viewpoint_ = viewpoint;
}

template <typename PointT>
auto
ArticulatedTracker<PointT>::getParticles() const -> PointCloudStatePtr
{
  if (!has_result_ || !filter_.isInitialized())
    return nullptr;
  std::vector<float> poses;
  std::vector<double> weights;
  filter_.getParticles().download(poses);
  filter_.getLogWeights().download(weights);
  double sum = 0.0;
  for (double& weight : weights) {
    weight = std::exp(weight);
    sum += weight;
  }
  PointCloudStatePtr particles(new PointCloudState);
  const std::size_t size = filter_.getSkeleton()->poseSize();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto first = poses.begin() + i * size;
    particles->push_back(PoseState::fromPose({first, first + size}));
    particles->back().weight = static_cast<float>(weights[i] / sum);
  }
  return particles;
}

template <typename PointT>
Eigen::MatrixXf
ArticulatedTracker<PointT>::getCovariance()
{
  Eigen::MatrixXf covariance;
  if (has_result_ && filter_.isInitialized())
    filter_.getCovariance(covariance);
  return covariance;
}

template <typename PointT>
bool
ArticulatedTracker<PointT>::initCompute()
{
  if (!input_)
    PCL_THROW_EXCEPTION(InitFailedException,
                        tracker_name_
                            << ": no input cloud was given, see setInputCloud()");
  if (!getSkeleton())
    PCL_THROW_EXCEPTION(InitFailedException,
                        tracker_name_ << ": no skeleton was given, see setSkeleton()");
  checkArgument(!background_ || input_->empty() ||
                    background_->size() == input_->size(),
                "number of points of the background",
                background_ ? background_->size() : 0,
                ("that of the input cloud, " + std::to_string(input_->size())).c_str());
  if (!use_indices_)
    return true;
  const auto points = static_cast<index_t>(input_->size());
  for (const index_t index : *indices_)
    checkArgument(index >= 0 && index < points,
                  "index",
                  index,
                  "the number of a point of the input cloud");
  return true;
}

template <typename PointT>
void
ArticulatedTracker<PointT>::initParticles()
{
  std::vector<float> pose = initial_pose_;
  if (pose.empty()) {
    pose = getSkeleton()->restPose();
    const std::vector<float> root = PoseState::toState(trans_).toPose();
    std::copy(root.begin(), root.end(), pose.begin());
  }
  if (initial_noise_covariance_.empty()) {
    filter_.initialize(pose);
    return;
  }
  std::vector<float> deviations;
  for (const double variance : initial_noise_covariance_)
    deviations.push_back(static_cast<float>(std::sqrt(variance)));
  filter_.initialize(pose, deviations);
}

template <typename PointT>
std::vector<float>
ArticulatedTracker<PointT>::backgroundDistances(const Eigen::Vector3f& viewpoint) const
{
  const std::size_t count = use_indices_ ? indices_->size() : input_->size();
  std::vector<float> distances(count);
  for (std::size_t i = 0; i < count; ++i) {
    const PointT& point = (*background_)[use_indices_ ? (*indices_)[i] : i];
    distances[i] = (point.getVector3fMap() - viewpoint).norm();
  }
  return distances;
}

template <typename PointT>
void
ArticulatedTracker<PointT>::computeTracking()
{
  if (!filter_.isInitialized())
    initParticles();
  const Indices* indices = use_indices_ ? indices_.get() : nullptr;
  const Eigen::Vector3f viewpoint =
      viewpoint_.value_or(Eigen::Vector3f(input_->sensor_origin_.template head<3>()));
  DeviceArray<float> backgrounds;
  if (background_) {
    DeviceArray<float>& kept = background_upload_.onCurrentDevice();
    kept.upload(backgroundDistances(viewpoint));
    backgrounds = kept;
  }
  filter_.processFrame(upload_.onCurrentDevice().upload(*input_, indices, {}),
                       backgrounds,
                       viewpoint,
                       1.0f / frame_rate_);
  filter_.getEstimate(estimate_);
  result_ = PoseState::fromPose(estimate_.mean);
  result_.weight = 1.0f / static_cast<float>(filter_.getParameters().particle_count);
  has_result_ = true;
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuArticulatedTracker(T)                                       \
  template class PCL_EXPORTS pcl::gpu::ArticulatedTracker<T>;

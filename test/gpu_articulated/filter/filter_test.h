// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/devices.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace pcl::gpu::test {

using FilterParameters = PoseParticleFilterParameters;

/** \brief Sets one parameter of a filter. */
template <typename Member>
void
set(PoseParticleFilter& filter,
    Member FilterParameters::*member,
    const std::common_type_t<Member>& value)
{
  setParameter(filter, member, value);
}

inline void
setRootDeviation(PoseParticleFilter& filter, float translation, float rotation)
{
  set(filter, &FilterParameters::root_translation_deviation, translation);
  set(filter, &FilterParameters::root_rotation_deviation, rotation);
}

inline void
setIslands(PoseParticleFilter& filter,
           int count,
           double margin = 300.0,
           int patience = 5)
{
  FilterParameters parameters = filter.getParameters();
  parameters.islands = count;
  parameters.island_margin = margin;
  parameters.island_patience = patience;
  filter.setParameters(parameters);
}

/** \brief Sets the wide motion, of all partitions. */
inline void
setWideMotion(PoseParticleFilter& filter, float factor)
{
  set(filter, &FilterParameters::wide_motion, factor);
  set(filter, &FilterParameters::wide_limb_motion, factor);
}

/** \brief A chain of joints, each with one angle about x. */
inline Skeleton::ConstPtr
chainOf(const std::vector<JointAngle>& angles)
{
  const auto skeleton = std::make_shared<Skeleton>();
  SkeletonJoint root;
  root.name = "root";
  skeleton->addJoint(root);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    SkeletonJoint joint;
    joint.name = "joint " + std::to_string(i);
    joint.parent = static_cast<int>(i);
    joint.offset = {0, 0.3f, 0};
    joint.angles = {angles[i]};
    skeleton->addJoint(joint);
  }
  return skeleton;
}

/** \brief Three angles about the axes of a ball joint, left-handed ones if asked
 * for. */
inline std::vector<JointAngle>
ballAngles(float deviation, bool left_handed)
{
  std::vector<JointAngle> angles(3);
  const int axes[] = {2, left_handed ? 1 : 0, left_handed ? 0 : 1};
  for (int i = 0; i < 3; ++i) {
    angles[i].axis = Eigen::Vector3f::Unit(axes[i]);
    angles[i].deviation = deviation;
  }
  return angles;
}

/** \brief Adds a ball joint to the end of a chain. */
inline Skeleton::ConstPtr
withBallJoint(const Skeleton::ConstPtr& chain, float deviation, bool left_handed)
{
  const auto skeleton = std::make_shared<Skeleton>(*chain);
  SkeletonJoint joint;
  joint.name = "ball joint " + std::to_string(skeleton->getJoints().size());
  joint.parent = static_cast<int>(skeleton->getJoints().size()) - 1;
  joint.offset = {0, 0.3f, 0};
  joint.angles = ballAngles(deviation, left_handed);
  skeleton->addJoint(joint);
  return skeleton;
}

inline JointAngle
limitedAngle(float lower, float upper, float deviation = 1.0f)
{
  JointAngle angle;
  angle.lower = lower;
  angle.upper = upper;
  angle.deviation = deviation;
  return angle;
}

/** \brief A likelihood that the test computes on the host, pose by pose. */
inline PoseParticleFilter::LikelihoodFunction
onHost(int pose_size, const std::function<double(const float*)>& log_likelihood)
{
  return [=](const DeviceArray<float>& poses,
             DeviceArray<double>& log_likelihoods,
             const Stream& stream) {
    stream.synchronize();
    const std::vector<float> rows = downloaded(poses);
    std::vector<double> values(rows.size() / pose_size);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = log_likelihood(rows.data() + i * pose_size);
    log_likelihoods.upload(values);
  };
}

/** \brief A likelihood that knows nothing. */
inline void
knowNothing(const DeviceArray<float>&, DeviceArray<double>& values, const Stream&)
{
  values.upload(std::vector<double>(values.size(), -1.0));
}

/** \brief A likelihood that gives the i-th particle the i-th number, regardless of its
 * pose. */
inline PoseParticleFilter::LikelihoodFunction
fixedLikelihoods(const std::vector<double>& values)
{
  return [=](const DeviceArray<float>&,
             DeviceArray<double>& log_likelihoods,
             const Stream&) { log_likelihoods.upload(values); };
}

inline PoseEstimate
estimateOf(const PoseParticleFilter& filter)
{
  PoseEstimate estimate;
  filter.getEstimate(estimate);
  return estimate;
}

/** \brief A filter with particles that do not move. */
inline PoseParticleFilter
restingFilter(const Skeleton::ConstPtr& skeleton, const std::vector<float>& poses)
{
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  set(filter, &FilterParameters::particle_count, poses.size() / skeleton->poseSize());
  setRootDeviation(filter, 0, 0);
  DeviceArray<float> particles;
  particles.upload(poses);
  filter.initialize(particles);
  return filter;
}

/** \brief As many rest poses as that. */
inline std::vector<float>
restPoses(const Skeleton& skeleton, std::size_t count)
{
  const std::vector<float> pose = skeleton.restPose();
  std::vector<float> poses;
  for (std::size_t i = 0; i < count; ++i)
    poses.insert(poses.end(), pose.begin(), pose.end());
  return poses;
}

} // namespace pcl::gpu::test

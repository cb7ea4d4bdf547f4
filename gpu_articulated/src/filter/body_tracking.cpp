// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pcl::gpu {

namespace {

/** \brief Returns the groups of findLimbs(), then that of all joints, several times. */
std::vector<std::vector<int>>
limbsAndAll(const Skeleton& skeleton, int times)
{
  std::vector<std::vector<int>> partitions = findLimbs(skeleton);
  std::vector<int> all(skeleton.getJoints().size());
  std::iota(all.begin(), all.end(), 0);
  partitions.insert(partitions.end(), times, all);
  return partitions;
}

} // namespace

std::vector<std::vector<int>>
findLimbs(const Skeleton& skeleton)
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  checkArgument(!joints.empty(), "skeleton", "empty", "a root joint");
  const auto count = static_cast<int>(joints.size());
  std::vector<int> ends(count, 0);
  std::vector<bool> has_skin(count, skeleton.getCapsules().empty());
  for (const SkeletonCapsule& capsule : skeleton.getCapsules())
    has_skin[capsule.joint] = true;
  for (int i = count - 1; i >= 0; --i) {
    if (has_skin[i])
      ends[i] = std::max(ends[i], 1);
    if (joints[i].parent >= 0)
      ends[joints[i].parent] += ends[i];
  }
  constexpr int trunk = 1;
  std::vector<std::vector<int>> groups = {{0}, {}};
  std::vector<int> group_of(count, trunk);
  for (int i = 1; i < count; ++i) {
    if (ends[i] < 3) {
      group_of[i] = group_of[joints[i].parent];
      if (group_of[i] == trunk && ends[i] > 0) {
        group_of[i] = static_cast<int>(groups.size());
        groups.emplace_back();
      }
    }
    groups[group_of[i]].push_back(i);
  }
  if (groups[trunk].empty())
    groups.erase(groups.begin() + trunk);
  return groups;
}

PoseParticleFilterParameters
bodyTrackingParameters()
{
  PoseParticleFilterParameters parameters;
  parameters.layers = 4;
  parameters.layer_noise = LayerNoise::Spread;
  parameters.layer_decay = 0.7f;
  parameters.survival_rate = 0.2f;
  parameters.root_translation_deviation = 0.3f;
  parameters.root_rotation_deviation = 1.2f;
  parameters.wide_motion = 2.5f;
  parameters.wide_limb_motion = 8.0f;
  parameters.islands = 2; // the margin is the cost of about 27 unexplained points
  parameters.max_points = 3000;
  parameters.likelihood.visibility = CapsuleVisibility::Occluding;
  parameters.likelihood.sigma = 0.02f;
  parameters.likelihood.truncation_distance = 0.1f;
  parameters.likelihood.miss_distance = 0.095f;
  return parameters;
}

PoseParticleFilterParameters
bodyTrackingParameters(const Skeleton& skeleton)
{
  PoseParticleFilterParameters parameters = bodyTrackingParameters();
  parameters.partitions = limbsAndAll(skeleton, 7); // 28 layers of all
  return parameters;
}

PoseParticleFilterParameters
guidedBodyTrackingParameters(const Device& device)
{
  PoseParticleFilterParameters parameters = bodyTrackingParameters();
  parameters.particle_count = 1000;
  parameters.islands = 1;
  parameters.layers = 3;
  if (device.isHost()) {
    parameters.particle_count = 700;
    parameters.max_points = 2000;
  }
  return parameters;
}

PoseParticleFilterParameters
handTrackingParameters()
{
  PoseParticleFilterParameters parameters = bodyTrackingParameters();
  parameters.root_translation_deviation = 0.15f;
  parameters.root_rotation_deviation = 0.8f;
  parameters.wide_limb_motion = 3.0f;
  parameters.islands = 1;
  parameters.likelihood.sigma = 0.006f;
  parameters.likelihood.truncation_distance = 0.03f;
  parameters.likelihood.miss_distance = 0.0285f;
  return parameters;
}

PoseParticleFilterParameters
handTrackingParameters(const Skeleton& skeleton)
{
  PoseParticleFilterParameters parameters = handTrackingParameters();
  parameters.partitions = limbsAndAll(skeleton, 4); // 16 layers of all
  return parameters;
}

std::vector<JointEstimate>
estimateJoints(const PoseParticleFilter& filter, ForwardKinematics& kinematics)
{
  PoseEstimate estimate;
  filter.getEstimate(estimate);
  const ScopedDevice scope(deviceOf(filter.getParticles()));
  DeviceArray<float> mean;
  mean.upload(estimate.mean);
  DeviceArray<PointXYZ> joints;
  std::vector<PointXYZ> positions;
  kinematics.computeJoints(mean, joints);
  joints.download(positions);
  kinematics.computeJoints(filter.getParticles(), joints);
  std::vector<PointXYZ> of_particles;
  joints.download(of_particles);
  std::vector<double> log_weights;
  filter.getLogWeights().download(log_weights);

  const std::size_t count = positions.size();
  std::vector<double> squares(count, 0.0);
  double total = 0.0;
  for (std::size_t particle = 0; particle < log_weights.size(); ++particle) {
    const double weight = std::exp(log_weights[particle]);
    total += weight;
    if (weight > 0.0)
      for (std::size_t i = 0; i < count; ++i)
        squares[i] += weight * (of_particles[particle * count + i].getVector3fMap() -
                                positions[i].getVector3fMap())
                                   .squaredNorm();
  }
  std::vector<JointEstimate> estimates;
  for (std::size_t i = 0; i < count; ++i)
    estimates.push_back({positions[i].getVector3fMap(),
                         static_cast<float>(std::sqrt(squares[i] / total))});
  return estimates;
}

} // namespace pcl::gpu

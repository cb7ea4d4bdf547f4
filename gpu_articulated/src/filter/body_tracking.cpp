// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <numeric>

namespace pcl::gpu {

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
  parameters.partitions = findLimbs(skeleton);
  std::vector<int> all(skeleton.getJoints().size());
  std::iota(all.begin(), all.end(), 0);
  parameters.partitions.insert(parameters.partitions.end(), 7, all); // of 28 layers
  return parameters;
}

} // namespace pcl::gpu

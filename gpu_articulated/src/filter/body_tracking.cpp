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
  groups.erase(std::remove_if(groups.begin(),
                              groups.end(),
                              [](const auto& group) { return group.empty(); }),
               groups.end());
  return groups;
}

void
setBodyTracking(PoseParticleFilter& filter)
{
  checkArgument(
      filter.getSkeleton() != nullptr, "skeleton", "not set", "setSkeleton() before");
  const Skeleton& skeleton = *filter.getSkeleton();
  std::vector<std::vector<int>> partitions = findLimbs(skeleton);
  std::vector<int> all(skeleton.getJoints().size());
  std::iota(all.begin(), all.end(), 0);
  partitions.insert(partitions.end(), 7, all); // one of seven times as many layers
  filter.setPartitions(partitions);
  filter.setLayers(4);
  filter.setLayerNoise(LayerNoise::Spread);
  filter.setLayerDecay(0.7f);
  filter.setSurvivalRate(0.2f);
  filter.setMotionModel(MotionModel::RandomWalk);
  filter.setRootDeviation(0.3f, 1.2f);
  filter.setWideMotion(2.5f);
  filter.setWideLimbMotion(8.0f);
  filter.setIslands(2); // with a margin of about 27 points that nothing explains
  filter.likelihood().setVisibility(CapsuleVisibility::Occluding);
  filter.likelihood().setSigma(0.02f);
  filter.likelihood().setTruncationDistance(0.1f);
  filter.likelihood().setMissDistance(0.095f);
}

} // namespace pcl::gpu

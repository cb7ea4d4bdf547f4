// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_scene.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>

#include <algorithm>

namespace benchmarks {

using namespace pcl::gpu;

FilterScene::FilterScene(const SceneSize& scene_size)
: size(scene_size)
, skeleton(std::make_shared<Skeleton>(makeHumanSkeleton()))
, pose(skeleton->restPose())
{
  // Upright with y down: half a turn about z.
  const std::vector<float> root = {0.0f, 0.1f, 3.0f, 0.0f, 0.0f, 0.0f, 1.0f};
  std::copy(root.begin(), root.end(), pose.begin());
  DeviceArray<float> poses;
  poses.upload(pose);
  DeviceArray<Capsule> capsules;
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  kinematics.computeCapsules(poses, capsules);
  std::vector<Capsule> body;
  capsules.download(body);
  points = seenPoints(size, body);
}

PoseParticleFilter
FilterScene::filter() const
{
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  pcl::gpu::PoseParticleFilterParameters parameters;
  parameters.particle_count = size.samples;
  parameters.likelihood.truncation_distance = size.truncation;
  filter.setParameters(parameters);
  return filter;
}

} // namespace benchmarks

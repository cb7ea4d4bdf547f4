// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_scene.h"

#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <vector>

namespace benchmarks {

/** \brief A person of the default skeleton's 48 capsules 3 m before the camera, who is
 * seen as in a BodyScene. */
struct FilterScene {
  explicit FilterScene(const SceneSize& size);

  SceneSize size;
  pcl::gpu::Skeleton::ConstPtr skeleton;
  std::vector<float> pose;
  std::vector<pcl::PointXYZ> points;

  /** \brief A filter of size.samples particles, to be initialized at the pose. */
  pcl::gpu::PoseParticleFilter
  filter() const;
};

} // namespace benchmarks

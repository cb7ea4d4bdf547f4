// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/numbers.h"
#include "gpu_scenespace/gathering/naive_sets.h"

#include <pcl/gpu/scenespace/gathering/query_volume.h>

#include <cmath>
#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief Depths of an output's pixels about those of its frames, some of them missing
 * in all ways. */
inline std::vector<float>
randomDepth(const RandomRig& rig)
{
  const float none[] = {0.0f, -1.0f, infinity, -infinity, std::nanf("")};
  std::mt19937 random(1);
  std::uniform_real_distribution<float> noise(-0.1f, 0.1f);
  const PinholeCamera& camera = rig.view.camera;
  std::vector<float> depth(std::size_t(camera.width) * camera.height);
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = random() % 6 == 0 ? none[random() % 5]
                                 : (i / 8 % 3 == 0 ? 1.0f : 2.2f) + noise(random);
  return depth;
}

/** \brief Returns whether a volume that is no frustum has a point, in double
 * precision. */
inline bool
hasPoint(const QueryVolume& volume, const Eigen::Vector3d& point)
{
  if (volume.getShape() == QueryVolume::Shape::Sphere)
    return point.norm() <= volume.getRadius();
  for (const HalfSpace& half_space : volume.getHalfSpaces())
    if (half_space.normal.cast<double>().dot(point) > half_space.distance)
      return false;
  return true;
}

/** \brief Each point of each frame against the volume of each pixel, which is no
 * frustum.
 * \param[in] depth of the output's pixels
 */
inline std::vector<std::vector<SceneSample>>
naiveVolumeSets(const RandomRig& rig,
                const QueryVolume& volume,
                const std::vector<float>& depth)
{
  const PinholeCamera& output = rig.view.camera;
  std::vector<std::vector<SceneSample>> sets(depth.size());
  std::vector<Eigen::Vector3d> centers(depth.size());
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const double z = depth[i];
    centers[i] = {(i % output.width - double(output.cx)) / output.fx * z,
                  (i / output.width - double(output.cy)) / output.fy * z,
                  z};
  }
  forEachPoint(rig, [&](const Eigen::Vector3d& point, const SceneSample& sample) {
    for (std::size_t i = 0; i < depth.size(); ++i)
      if (std::isfinite(depth[i]) && depth[i] > 0.0f &&
          hasPoint(volume, point - centers[i]))
        sets[i].push_back(sample);
  });
  return sets;
}

} // namespace pcl::gpu::test

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "meshes.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <cstdint>
#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief The answers of all queries. */
struct Answers {
  std::vector<RayHit> hits;
  std::vector<std::uint8_t> occluded;
  std::vector<int> counts;
  std::vector<RayHit> all_hits;           ///< ray by ray
  std::vector<std::uint32_t> starts;      ///< in all_hits, and their number
  std::vector<std::uint32_t> rays_of_all; ///< one a hit
};

/** \brief Asks all queries on the current device, with outputs full of
 * nonsense. */
Answers
ask(MeshRayQuery& query, const std::vector<Ray>& rays);

/** \brief Builds and asks. */
Answers
ask(const MeshScene& scene,
    const std::vector<Ray>& rays,
    Culling culling = Culling::None);

/** \brief Expects every bit to be the same. */
void
expectSameAnswers(const Answers& actual, const Answers& expected);

using Random = std::mt19937;

Eigen::Vector3f
randomPoint(Random& random, float range);

Ray
ray(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction);

/** \brief Rays from points in a cube around the origin to others. */
std::vector<Ray>
randomRays(Random& random, int count, float range);

/** \brief Triangles of about one size within a cube around the origin. */
HostMesh
randomTriangles(Random& random, int count, float range, float size);

} // namespace pcl::gpu::test

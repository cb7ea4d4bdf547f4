// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/ray.hpp"
#include "ray_query_scenes.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

/** \brief All triangles of a mesh against all rays, by the ray test that queries use.
 * \param[in] mesh in the world frame
 */
inline Answers
bruteForce(const HostMesh& mesh,
           const std::vector<Ray>& rays,
           Culling culling = Culling::None)
{
  const auto vertex = [&](std::size_t i) {
    const PointXYZ& p = mesh.vertices[mesh.triangles[i]];
    return device::Vector3{p.x, p.y, p.z};
  };
  Answers answers;
  answers.starts.push_back(0);
  for (const Ray& ray : rays) {
    std::vector<RayHit> hits;
    device::RayFrame frame;
    const bool valid =
        device::makeRayFrame({{ray.origin[0], ray.origin[1], ray.origin[2]},
                              ray.nearest,
                              {ray.direction[0], ray.direction[1], ray.direction[2]},
                              ray.farthest},
                             frame);
    for (std::size_t i = 0; valid && i < mesh.triangles.size(); i += 3) {
      const device::Triangle triangle = {vertex(i), vertex(i + 1), vertex(i + 2)};
      if (!device::isUsable(triangle))
        continue;
      device::TriangleHit hit;
      if (!device::hitsTriangle(frame, triangle, culling, hit))
        continue;
      hits.push_back({hit.t, static_cast<int>(i / 3), hit.u, hit.v});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
      return a.distance < b.distance;
    });
    const auto number = static_cast<std::uint32_t>(answers.hits.size());
    answers.hits.push_back(hits.empty() ? RayHit{NAN, -1, NAN, NAN} : hits.front());
    answers.occluded.push_back(hits.empty() ? 0 : 1);
    answers.counts.push_back(static_cast<int>(hits.size()));
    answers.rays_of_all.resize(answers.rays_of_all.size() + hits.size(), number);
    answers.all_hits.insert(answers.all_hits.end(), hits.begin(), hits.end());
    answers.starts.push_back(static_cast<std::uint32_t>(answers.all_hits.size()));
  }
  return answers;
}

} // namespace pcl::gpu::test

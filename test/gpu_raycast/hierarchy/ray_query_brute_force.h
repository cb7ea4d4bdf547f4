// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/ray.hpp"
#include "ray_query_scenes.h"

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
  for (const Ray& ray : rays) {
    RayHit nearest = {NAN, -1, NAN, NAN};
    int count = 0;
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
      ++count;
      if (!(nearest.distance <= hit.t))
        nearest = {hit.t, static_cast<int>(i / 3), hit.u, hit.v};
    }
    answers.hits.push_back(nearest);
    answers.occluded.push_back(count > 0 ? 1 : 0);
    answers.counts.push_back(count);
  }
  return answers;
}

} // namespace pcl::gpu::test

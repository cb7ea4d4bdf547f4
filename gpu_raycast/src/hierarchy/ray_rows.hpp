// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"
#include "hierarchy/ray.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Copies rows of three numbers to points. */
struct ExpandPoints {
  const float* rows;
  Float4* points;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    points[i] = {rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], 1.0f};
  }
};

/** \brief Copies rows of six numbers to rays without bounds. */
struct ExpandRays {
  const float* rows;
  Float4* rays; ///< two a ray
  float nearest, farthest;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const float* const from = rows + 6 * i;
    rays[2 * i] = {from[0], from[1], from[2], nearest};
    rays[2 * i + 1] = {from[3], from[4], from[5], farthest};
  }
};

/** \brief Copies each number of hits to an array of its own. */
struct SplitHits {
  WorldTriangles world;
  const RayHit* hits;
  float* distances;
  std::uint32_t* instances;
  std::uint32_t* triangles;
  float* barycentrics;
  float* normals;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const RayHit hit = hits[i];
    constexpr std::uint32_t nothing = 0xffffffffu;
    Vector3 normal = {0.0f, 0.0f, 0.0f};
    std::uint32_t instance = nothing, number = nothing;
    const bool is_hit = hit.triangle >= 0;
    if (is_hit) {
      const auto id = static_cast<std::uint32_t>(hit.triangle);
      const int found = findInstance(world.instances, world.instance_count, id);
      instance = static_cast<std::uint32_t>(found);
      number = id - world.instances[found].first_triangle;
      Triangle triangle;
      if (loadTriangle(world.instances[found], id, triangle))
        normal = cross(triangle.b - triangle.a, triangle.c - triangle.a);
      const float square = dot(normal, normal);
      normal = (square > 0.0f ? 1.0f / sqrtf(square) : 0.0f) * normal;
    }
    distances[i] = is_hit ? hit.distance : INFINITY;
    instances[i] = instance;
    triangles[i] = number;
    barycentrics[2 * i] = is_hit ? hit.u : 0.0f;
    barycentrics[2 * i + 1] = is_hit ? hit.v : 0.0f;
    normals[3 * i] = normal.x;
    normals[3 * i + 1] = normal.y;
    normals[3 * i + 2] = normal.z;
  }
};

} // namespace pcl::device

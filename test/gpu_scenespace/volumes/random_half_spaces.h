// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_volume.h>

#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief The half-spaces of an octahedron: points within a distance of the origin,
 * summed over the axes. */
inline std::vector<HalfSpace>
octahedronHalfSpaces(float distance)
{
  std::vector<HalfSpace> half_spaces;
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f})
      for (const float z : {-1.0f, 1.0f})
        half_spaces.push_back({{x, y, z}, distance});
  return half_spaces;
}

/** \brief Half-spaces in random directions, four of them those of a tetrahedron, so
 * that there is an end to their intersection.
 * \param[in] count 4 or more
 * \param[in] size of their intersection, metres
 */
inline std::vector<HalfSpace>
randomHalfSpaces(std::mt19937& random, int count, float size)
{
  std::uniform_real_distribution<float> any(-1.0f, 1.0f), stretched(0.5f, 2.0f);
  std::vector<HalfSpace> half_spaces;
  for (int i = 0; i < count; ++i) {
    Eigen::Vector3f normal(any(random), any(random), any(random));
    if (i < 4)
      normal = Eigen::Vector3f(i & 1 ? 1.0f : -1.0f,
                               i & 2 ? 1.0f : -1.0f,
                               i == 1 || i == 2 ? 1.0f : -1.0f) +
               0.2f * normal;
    // Of any length, so that distances are none in metres.
    half_spaces.push_back({normal, normal.norm() * size * stretched(random)});
  }
  return half_spaces;
}

} // namespace pcl::gpu::test

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_volume.h>

#include <array>
#include <vector>

namespace pcl::gpu {

/** \brief The corners of a convex polyhedron, and the pairs of them that edges join. */
struct ConvexPolyhedron {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 2>> edges;
};

/** \brief The six sides of a box around the origin. */
std::vector<HalfSpace>
boxHalfSpaces(const Eigen::Vector3f& half_size);

/** \brief A polyhedron around the intersection of half-spaces, larger by a millionth of
 * their largest distance, so that roundings of its vertices cut nothing off.
 * \throws pcl::BadArgumentException as QueryVolume::polyhedron() does
 */
ConvexPolyhedron
polyhedronAround(const std::vector<HalfSpace>& half_spaces);

} // namespace pcl::gpu

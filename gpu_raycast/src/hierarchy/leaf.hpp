// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/ray.hpp"

#include <cstdint>

// The triangles of a leaf, coordinate by coordinate: a ray takes the coordinates of its own
// frame's axes by their address, and looks at all triangles side by side.

namespace pcl::device {

constexpr int leaf_size = 4;

/** \brief One coordinate of one corner of each triangle. */
struct alignas(16) LeafRow {
  float of[leaf_size];
};

/** \brief Triangles in the world frame; all coordinates of an invisible one are NaN. */
struct Leaf {
  LeafRow corners[3][3]; ///< by axis; corner
  std::uint32_t ids[leaf_size];
};

static_assert(sizeof(Leaf) == 40 * leaf_size, "read and written in pieces of 16 bytes");

PCL_GPU_HOST_DEVICE void
setTriangle(Leaf& leaf, int i, const Triangle& triangle, std::uint32_t id)
{
  const Vector3 corners[3] = {triangle.a, triangle.b, triangle.c};
  for (int corner = 0; corner < 3; ++corner) {
    leaf.corners[0][corner].of[i] = corners[corner].x;
    leaf.corners[1][corner].of[i] = corners[corner].y;
    leaf.corners[2][corner].of[i] = corners[corner].z;
  }
  leaf.ids[i] = id;
}

/** \brief One triangle, axes in the order of a ray's frame. */
PCL_GPU_HOST_DEVICE Triangle
triangleOf(const LeafRow (&x)[3], const LeafRow (&y)[3], const LeafRow (&z)[3], int i)
{
  return {{x[0].of[i], y[0].of[i], z[0].of[i]},
          {x[1].of[i], y[1].of[i], z[1].of[i]},
          {x[2].of[i], y[2].of[i], z[2].of[i]}};
}

/** \brief The triangles that a ray may hit: a bit for each. */
PCL_GPU_HOST_DEVICE std::uint32_t
candidatesOf(const Leaf& leaf, const RayFrame& frame)
{
  LeafRow x[3], y[3], z[3];
  for (int corner = 0; corner < 3; ++corner) {
    x[corner] = leaf.corners[frame.x][corner];
    y[corner] = leaf.corners[frame.y][corner];
    z[corner] = leaf.corners[frame.z][corner];
  }
  std::uint32_t candidates = 0;
  for (int i = 0; i < leaf_size; ++i)
    candidates |= mayHitTriangle(shear(frame, triangleOf(x, y, z, i))) ? 1u << i : 0u;
  return candidates;
}

/** \brief The hit of a ray and one triangle of a leaf: hitsTriangle(). */
PCL_GPU_HOST_DEVICE bool
hitsTriangleOf(
    const Leaf& leaf, int i, const RayFrame& frame, HitSides sides, TriangleHit& hit)
{
  const Triangle triangle = triangleOf(
      leaf.corners[frame.x], leaf.corners[frame.y], leaf.corners[frame.z], i);
  return hitsTriangle(frame, shear(frame, triangle), sides, hit);
}

} // namespace pcl::device

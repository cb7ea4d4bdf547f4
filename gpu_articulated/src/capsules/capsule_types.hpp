// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

namespace pcl::device {

using gpu::Capsule;
using gpu::TaperedCapsule;

/** \brief Points of a block: those that a warp looks at together. */
constexpr int block_points = 32;
/** \brief Blocks of a chunk: those whose sums a warp adds up. Part of the results' bits. */
constexpr int chunk_blocks = 64;
constexpr int chunk_points = block_points * chunk_blocks;

/** \brief An observed point as the ray tests want it. */
struct ObservedPoint {
  float x, y, z;
  float weight;                                ///< 0: the point is skipped
  float direction_x, direction_y, direction_z; ///< unit length, from the viewpoint
  float length;                                ///< of the ray, Delta
};

/** \brief A bound on the rays of a few points, as far as they lie within tau of the points:
 * a cone around an axis from the viewpoint. */
struct alignas(32) RayBundle {
  float axis_x, axis_y, axis_z; ///< unit length
  float radius;                 ///< at the viewpoint
  float spread;                 ///< by which the radius grows along the axis
  float nearest;                ///< where the cone begins, along the axis
  float farthest;               ///< where it ends
  float weight;                 ///< sum of the points' weights
};

/** \brief Beyond all bundles. */
constexpr float endless = 3e38f;

/** \brief Whether a bundle is of any points: what has none ends before it begins. */
PCL_GPU_HOST_DEVICE bool
hasPoints(const RayBundle& bundle)
{
  return bundle.farthest > -endless;
}

/** \brief Whether rays are so short that what lies behind the viewpoint has to be thought of:
 * their bundles have no beginning. */
PCL_GPU_HOST_DEVICE bool
isNearViewpoint(const RayBundle& bundle)
{
  return bundle.nearest <= -endless;
}

/** \brief A capsule with what all its ray tests have in common.
 *
 * Its bits are negated in \a radius where single precision will not do for it.
 */
struct alignas(32) PreparedCapsule {
  using Source = Capsule;

  float a[3];
  float radius;
  float axis[3]; ///< unit length, from a to b
  float length;  ///< |b - a|; NaN if the capsule is not there
};

/** \brief The same with a radius at each end. */
struct alignas(16) PreparedTaperedCapsule {
  using Source = TaperedCapsule;

  float a[3];
  float radius; ///< at a
  float axis[3];
  float length;
  float radius_b;
  /** \brief Of the angle between the axis and the tangent cone; above 1 where one ball
   * contains the other. */
  float sine;
  float cosine;
  float largest_radius;
};

struct Point3 {
  float x, y, z;
};

/** \brief Observed points, sorted so that neighbours are neighbours. */
struct Observation {
  const ObservedPoint* points; ///< chunks * chunk_points
  const RayBundle* blocks;     ///< chunks * chunk_blocks
  const RayBundle* chunks;
  int chunk_count;
  Point3 viewpoint;
  float truncation_distance;
};

/** \brief The sum over distances. */
struct DistanceRule {
  bool squared;
  bool occluding;
  /** \brief Of a point whose ray meets no capsule: tau, or less if occluding. */
  float miss_distance;
};

} // namespace pcl::device

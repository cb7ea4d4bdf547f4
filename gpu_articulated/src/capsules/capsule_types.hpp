// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/utils/device/types.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

namespace pcl::device {

using gpu::Capsule;
using gpu::TaperedCapsule;

/** \brief Points of a block: a warp compares them together. */
constexpr int block_points = 32;
/** \brief Blocks of a chunk: a warp adds up their sums. Part of the results' bits. */
constexpr int chunk_blocks = 64;
constexpr int chunk_points = block_points * chunk_blocks;
// The host driver lists capsules for groups of blocks, and then for halves of blocks.
constexpr int half_points = block_points / 2;
constexpr int chunk_halves = 2 * chunk_blocks;
constexpr int group_blocks = 8;
constexpr int group_points = block_points * group_blocks;
constexpr int group_halves = 2 * group_blocks;
constexpr int chunk_groups = chunk_blocks / group_blocks;

/** \brief An observed point in the terms of the ray tests. */
struct ObservedPoint {
  float x, y, z;
  float weight;                                ///< 0: the point is skipped
  float direction_x, direction_y, direction_z; ///< unit length, from the viewpoint
  float length;                                ///< of the ray, Delta
};

/** \brief A bound on the rays of a few points, as far as they lie within tau of the
 * points: a cone around an axis from the viewpoint. */
struct alignas(32) RayBundle {
  float axis_x, axis_y, axis_z; ///< unit length
  float radius;                 ///< at the viewpoint
  float spread;                 ///< growth of the radius along the axis
  float nearest;                ///< start of the cone along the axis
  float farthest;               ///< its end
  float weight;                 ///< of the points whose background is not known
};

/** \brief Beyond all bundles. */
constexpr float endless = 3e38f;

/** \brief Returns whether a bundle has points. One without ends before it begins. */
PCL_GPU_HOST_DEVICE bool
hasPoints(const RayBundle& bundle)
{
  return bundle.farthest > -endless;
}

/** \brief Returns whether rays are so short that they extend behind the viewpoint:
 * their bundles have no beginning. */
PCL_GPU_HOST_DEVICE bool
isNearViewpoint(const RayBundle& bundle)
{
  return bundle.nearest <= -endless;
}

/** \brief A capsule with the numbers that all its ray tests share.
 *
 * A negative \a radius means that single precision is too coarse for it.
 */
struct alignas(32) PreparedCapsule {
  using Source = Capsule;

  float a[3];
  float radius;
  float axis[3]; ///< unit length, from a to b
  float length;  ///< |b - a|; NaN if the capsule does not exist
};

/** \brief A prepared capsule with a radius at each end. */
struct alignas(16) PreparedTaperedCapsule {
  using Source = TaperedCapsule;

  float a[3];
  float radius; ///< at a
  float axis[3];
  float length;
  float radius_b;
  /** \brief Sine of the angle between the axis and the tangent cone; above 1 if one
   * ball contains the other. */
  float sine;
  float cosine;
  float largest_radius;
};

/** \brief Weighted sums of points' distances from the background. */
struct BackgroundSums {
  double squares, distances;

  PCL_GPU_HOST_DEVICE double
  of(bool squared) const
  {
    return squared ? squares : distances;
  }
};

/** \brief Observed points, sorted so that near points are neighbours. */
struct Observation {
  ObservedPoint* points; ///< chunk_count * chunk_points
  RayBundle* blocks;     ///< chunk_count * chunk_blocks
  RayBundle* groups;     ///< chunk_count * chunk_groups on the host, else null
  RayBundle* halves;     ///< chunk_count * chunk_halves on the host, else null
  RayBundle* chunks;     ///< chunk_count on a CUDA device, else null
  double* chunk_weights; ///< chunk_count: sums of the weights of the blocks
  /** \brief Distance from each point on to the background, below 0 before the point,
   * NaN if it is not known. Null, with both sums, if no background was set. */
  float* backgrounds;
  BackgroundSums* block_backgrounds; ///< of the points whose background is known
  BackgroundSums* chunk_backgrounds; ///< sums of these
  int chunk_count;
  Vector3 viewpoint;
  float truncation_distance;
};

} // namespace pcl::device

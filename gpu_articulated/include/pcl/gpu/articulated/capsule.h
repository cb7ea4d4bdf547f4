// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief All points within a radius of a line segment: the skin of one bone.
 *
 * Seven floats in the order of Friborg et al. 2010, listing 1.2. With a equal to b it
 * is a sphere, with radius 0 a line segment, which only rays that meet it exactly hit.
 * A capsule with a coordinate or radius that is not finite, or a radius below 0, does
 * not exist: no ray hits it.
 * \ingroup gpu_articulated
 */
struct Capsule {
  float a[3];   ///< one end of the segment: x, y, z, metres
  float radius; ///< metres
  float b[3];   ///< the other end: x, y, z, metres
};

/** \brief The convex hull of two spheres: a capsule with a radius at each end.
 *
 * Not in the paper; forearms and calves look more like it. With equal radii it is a
 * Capsule; if one sphere contains the other it is that sphere. With a number that is
 * not finite or a radius below 0 it does not exist, like a Capsule.
 * \ingroup gpu_articulated
 */
struct TaperedCapsule {
  float a[3];     ///< centre of one sphere: x, y, z, metres
  float radius_a; ///< its radius, metres
  float b[3];     ///< centre of the other sphere: x, y, z, metres
  float radius_b; ///< its radius, metres
};

} // namespace pcl::gpu

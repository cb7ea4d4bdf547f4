// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_ARTICULATED_RAY_BUNDLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_ARTICULATED_RAY_BUNDLE_INL_H
#undef PCL_GPU_ARTICULATED_RAY_BUNDLE_INL_H
#else
#define PCL_GPU_ARTICULATED_RAY_BUNDLE_INL_H
#endif

#include "capsules/capsule_types.hpp"

#include <pcl/gpu/utils/internal/device/element_math.hpp>

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief The cone of a RayBundle, or a register full of them. */
template <typename Float>
struct BundleCone {
  Float axis_x, axis_y, axis_z;
  Float radius, spread, nearest, farthest;
};

/** \brief Returns the cone in which capsules count: from the viewpoint on if
 * occluding. */
template <typename Float>
PCL_GPU_ELEMENT BundleCone<Float>
coneOf(const RayBundle& bundle, bool occluding)
{
  return {Float(bundle.axis_x),
          Float(bundle.axis_y),
          Float(bundle.axis_z),
          Float(bundle.radius),
          Float(bundle.spread),
          Float(occluding ? fminf(bundle.nearest, 0.0f) : bundle.nearest),
          Float(bundle.farthest)};
}

PCL_GPU_HOST_DEVICE float
largestRadius(const PreparedCapsule& capsule)
{
  return fabsf(capsule.radius);
}

PCL_GPU_HOST_DEVICE float
largestRadius(const PreparedTaperedCapsule& capsule)
{
  return capsule.largest_radius;
}

/** \brief A bound on a capsule, counted from the viewpoint, or a register of them. */
template <typename Float>
struct CapsuleReach {
  Float a_x, a_y, a_z;
  Float axis_x, axis_y, axis_z;
  Float length;
  Float radius; ///< with room for rounding errors
};

template <typename Capsule>
PCL_GPU_ELEMENT CapsuleReach<float>
reachOf(const Capsule& capsule, const Vector3& viewpoint)
{
  // Rounding: 2e-6 of the capsule's size; the bundle's own margin stands for its
  // distance.
  const float radius = largestRadius(capsule);
  return {capsule.a[0] - viewpoint.x,
          capsule.a[1] - viewpoint.y,
          capsule.a[2] - viewpoint.z,
          capsule.axis[0],
          capsule.axis[1],
          capsule.axis[2],
          capsule.length,
          radius + 2e-6f * (radius + capsule.length)};
}

/** \brief Returns false only if a capsule does not reach into a bundle of rays.
 *
 * Seen along the bundle's axis, the axis of the capsule must come as near as both radii
 * allow at the far end of the capsule. Along the axis both must overlap.
 */
template <typename Float>
PCL_GPU_ELEMENT auto
mayReach(const BundleCone<Float>& bundle, const CapsuleReach<Float>& capsule)
{
  const Float ex = bundle.axis_x, ey = bundle.axis_y, ez = bundle.axis_z;
  const Float wx = capsule.a_x, wy = capsule.a_y, wz = capsule.a_z;
  const Float cx = capsule.axis_x, cy = capsule.axis_y, cz = capsule.axis_z;

  const Float depth = mulAdd(wz, ez, mulAdd(wy, ey, wx * ex));
  const Float slope = mulAdd(cz, ez, mulAdd(cy, ey, cx * ex));
  const Float qx = negativeMulAdd(depth, ex, wx);
  const Float qy = negativeMulAdd(depth, ey, wy);
  const Float qz = negativeMulAdd(depth, ez, wz);
  const Float px = negativeMulAdd(slope, ex, cx);
  const Float py = negativeMulAdd(slope, ey, cy);
  const Float pz = negativeMulAdd(slope, ez, cz);
  const Float square = mulAdd(pz, pz, mulAdd(py, py, px * px));
  const Float half = mulAdd(pz, qz, mulAdd(py, qy, px * qx));
  // For an axis along the bundle's any place fits.
  const Float place = minimum(
      maximum(roughQuotient(-half, maximum(square, Float(1e-12f))), Float(0.0f)),
      capsule.length);
  const Float nx = mulAdd(place, px, qx);
  const Float ny = mulAdd(place, py, qy);
  const Float nz = mulAdd(place, pz, qz);
  const Float apart = mulAdd(nz, nz, mulAdd(ny, ny, nx * nx));
  const Float other_depth = mulAdd(capsule.length, slope, depth);
  const Float front = minimum(depth, other_depth) - capsule.radius;
  const Float back =
      minimum(maximum(depth, other_depth) + capsule.radius, bundle.farthest);
  const Float limit = mulAdd(bundle.spread, back, bundle.radius + capsule.radius);
  return (apart <= limit * limit) & (front <= bundle.farthest) &
         (back >= bundle.nearest);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

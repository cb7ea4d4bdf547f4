// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/camera.hpp"

// Rays of any origin and direction, and their test with a triangle.

namespace pcl::device {

/** \brief gpu::Ray. */
struct alignas(16) Ray {
  Vector3 origin;
  float nearest;
  Vector3 direction;
  float farthest;
};

/** \brief gpu::RayHit. */
struct alignas(16) RayHit {
  float distance;
  int triangle;
  float u, v;
};

constexpr float largest_float = 3.402823466e38f;

/** \brief The frame in which a ray is the z axis, but for a shear.
 *
 * The axes are those of the world in another order: z is the one that the ray runs
 * along most, and x and y follow so that the frame is right-handed when seen along the
 * ray.
 */
struct RayFrame {
  int x, y, z;            ///< the world's axes
  Vector3 origin;         ///< of the ray, axes in this order
  float slope_x, slope_y; ///< of the ray over z, -1 to 1
  float z_sign;           ///< 1 if the ray runs upwards, else -1
  float length;           ///< of the ray's direction, along z
  float nearest, farthest;
};

PCL_GPU_HOST_DEVICE float
component(const Vector3& v, int axis)
{
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/** \return false if the ray hits nothing, whatever there is */
PCL_GPU_HOST_DEVICE bool
makeRayFrame(const Ray& ray, RayFrame& frame)
{
  const Vector3& d = ray.direction;
  const Vector3 size = {fabsf(d.x), fabsf(d.y), fabsf(d.z)};
  frame.z = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  const int after = frame.z == 2 ? 0 : frame.z + 1;
  const int before = frame.z == 0 ? 2 : frame.z - 1;
  const float along = component(d, frame.z);
  const bool upwards = along > 0.0f;
  frame.x = upwards ? after : before;
  frame.y = upwards ? before : after;
  frame.origin = {component(ray.origin, frame.x),
                  component(ray.origin, frame.y),
                  component(ray.origin, frame.z)};
  frame.slope_x = component(d, frame.x) / along;
  frame.slope_y = component(d, frame.y) / along;
  frame.z_sign = upwards ? 1.0f : -1.0f;
  frame.length = fabsf(along);
  frame.nearest = ray.nearest;
  // A distance that is too large for a float is no hit.
  frame.farthest = ray.farthest > largest_float ? largest_float : ray.farthest;
  return isUsable(ray.origin) && size.x <= largest_float && size.y <= largest_float &&
         size.z <= largest_float && frame.length > 0.0f &&
         frame.nearest < frame.farthest;
}

/** \brief A triangle as a ray sees it. */
struct ShearedTriangle {
  PlanePoint a, b, c;
  Vector3 heights; ///< of the corners over the ray's origin, along the frame's z
};

/** \brief A point's coordinates in the order of a frame's axes. */
PCL_GPU_HOST_DEVICE Vector3
inOrderOf(const RayFrame& frame, const Vector3& v)
{
  return {component(v, frame.x), component(v, frame.y), component(v, frame.z)};
}

/** \param[in] v relative to the ray's origin, axes in the frame's order */
PCL_GPU_HOST_DEVICE PlanePoint
shear(const RayFrame& frame, const Vector3& v)
{
  return sheared(v, {frame.slope_x, frame.slope_y});
}

/** \param[in] triangle axes in the frame's order */
PCL_GPU_HOST_DEVICE ShearedTriangle
shear(const RayFrame& frame, const Triangle& triangle)
{
  const Vector3 a = triangle.a - frame.origin;
  const Vector3 b = triangle.b - frame.origin;
  const Vector3 c = triangle.c - frame.origin;
  return {shear(frame, a), shear(frame, b), shear(frame, c), {a.z, b.z, c.z}};
}

/** \brief Returns whether zero lies within the range of three numbers. */
PCL_GPU_HOST_DEVICE bool
straddlesZero(float a, float b, float c)
{
  return minimum(a, minimum(b, c)) <= 0.0f && maximum(a, maximum(b, c)) >= 0.0f;
}

/** \brief The hit of a ray and a triangle within the ray's bounds.
 *
 * Of points that surround the origin some lie on either side of it in x, and in y. To
 * ask that first is quick, and makes it true also where tiny areas round to zero: the
 * test of boxes relies on it, see hierarchy.hpp.
 */
PCL_GPU_HOST_DEVICE bool
hitsTriangle(const RayFrame& frame,
             const ShearedTriangle& triangle,
             Culling culling,
             TriangleHit& hit)
{
  const PlanePoint& a = triangle.a;
  const PlanePoint& b = triangle.b;
  const PlanePoint& c = triangle.c;
  if (!straddlesZero(a.x, b.x, c.x) || !straddlesZero(a.y, b.y, c.y))
    return false;
  const Vector3 heights = frame.z_sign * triangle.heights;
  if (!hitsShearedTriangle(a, b, c, heights, culling, hit))
    return false;
  hit.t = hit.t / frame.length;
  return hit.t > frame.nearest && hit.t <= frame.farthest;
}

/** \brief The same for a triangle in the world. */
PCL_GPU_HOST_DEVICE bool
hitsTriangle(const RayFrame& frame,
             const Triangle& triangle,
             Culling culling,
             TriangleHit& hit)
{
  const Triangle ordered = {inOrderOf(frame, triangle.a),
                            inOrderOf(frame, triangle.b),
                            inOrderOf(frame, triangle.c)};
  return hitsTriangle(frame, shear(frame, ordered), culling, hit);
}

/** \brief Returns whether the signs of rounded areas leave a hit possible.
 *
 * They are right where they are not 0, so wherever hitsTriangle() finds a hit. There is
 * no branch, for triangles to be looked at side by side.
 */
PCL_GPU_HOST_DEVICE bool
mayHitTriangle(const ShearedTriangle& triangle)
{
  const CornerWeights<float> weights =
      roundedWeights(triangle.a, triangle.b, triangle.c);
  const float least = minimum(weights.a, minimum(weights.b, weights.c));
  const float most = maximum(weights.a, maximum(weights.b, weights.c));
  return !((least < 0.0f) & (most > 0.0f));
}

} // namespace pcl::device

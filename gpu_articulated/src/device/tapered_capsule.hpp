// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>

// Rays and the convex hull of two spheres, in double precision.
//
// The hull is the union of the spheres at a + s (b - a) with radius r_a + s (r_b - r_a), for
// 0 <= s <= 1. A point p is in the one of s if
//   q s^2 - 2 s (y - r_a d) + |p - a|^2 - r_a^2 <= 0,
// where y = (p - a).(b - a), d = r_a - r_b and q = |b - a|^2 - d^2. The left side is least at
// s = (y - r_a d) / q, which is where the skin between the end spheres touches its sphere.
// With q <= 0 one end sphere contains the other.

namespace pcl {
namespace device {

struct Vector3d {
  double x, y, z;
};

PCL_GPU_HOST_DEVICE Vector3d
operator+(const Vector3d& a, const Vector3d& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

PCL_GPU_HOST_DEVICE Vector3d
operator-(const Vector3d& a, const Vector3d& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

PCL_GPU_HOST_DEVICE Vector3d
operator*(double a, const Vector3d& b)
{
  return {a * b.x, a * b.y, a * b.z};
}

PCL_GPU_HOST_DEVICE double
dot(const Vector3d& a, const Vector3d& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** \brief A capsule with what all rays need to know of it. */
struct TaperedCapsuleHull {
  Vector3d a;
  Vector3d axis; ///< b - a
  double radius_a, radius_b;
  double tapering; ///< radius_a - radius_b
  double slant;    ///< q above
};

PCL_GPU_HOST_DEVICE TaperedCapsuleHull
makeHull(const Vector3d& a, double radius_a, const Vector3d& b, double radius_b)
{
  TaperedCapsuleHull hull;
  hull.a = a;
  hull.axis = b - a;
  hull.radius_a = radius_a;
  hull.radius_b = radius_b;
  hull.tapering = radius_a - radius_b;
  hull.slant = dot(hull.axis, hull.axis) - hull.tapering * hull.tapering;
  return hull;
}

/** \brief s of the sphere that a point on the skin lies on, not yet kept within 0 to 1.
 * \param[in] from_a the point as seen from a
 */
PCL_GPU_HOST_DEVICE double
placeOnAxis(const TaperedCapsuleHull& hull, const Vector3d& from_a)
{
  return (dot(from_a, hull.axis) - hull.radius_a * hull.tapering) / hull.slant;
}

/** \brief Where a ray is in a hull: from \a first to \a last; empty if first > last. */
struct RayInterval {
  double first = INFINITY;
  double last = -INFINITY;

  PCL_GPU_HOST_DEVICE void
  include(double t)
  {
    first = t < first ? t : first;
    last = t > last ? t : last;
  }
};

/** \brief Includes where a ray crosses a sphere.
 * \param[in] from_center the ray's origin as seen from the sphere's centre
 */
PCL_GPU_HOST_DEVICE void
includeSphere(const Vector3d& from_center,
              const Vector3d& direction,
              double radius,
              RayInterval& interval)
{
  const double length_squared = dot(direction, direction);
  const double middle = -dot(from_center, direction) / length_squared;
  const Vector3d nearest = from_center + middle * direction;
  const double rest = radius * radius - dot(nearest, nearest);
  if (!(rest >= 0.0))
    return;
  const double half = sqrt(rest / length_squared);
  interval.include(middle - half);
  interval.include(middle + half);
}

/** \brief Includes where a ray crosses the skin between the end spheres.
 * \param[in] from_a the ray's origin as seen from a
 */
PCL_GPU_HOST_DEVICE void
includeSide(const TaperedCapsuleHull& hull,
            const Vector3d& from_a,
            const Vector3d& direction,
            RayInterval& interval)
{
  if (!(hull.slant > 0.0))
    return;
  const double along = dot(direction, hull.axis);
  const double start = dot(from_a, hull.axis) - hull.radius_a * hull.tapering;
  const double distance = dot(from_a, from_a) - hull.radius_a * hull.radius_a;
  const double a = hull.slant * dot(direction, direction) - along * along;
  const double b = hull.slant * dot(from_a, direction) - along * start;
  const double c = hull.slant * distance - start * start;
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0))
    return;
  const double sum = -(b + (b < 0.0 ? -sqrt(discriminant) : sqrt(discriminant)));
  const double roots[2] = {sum / a, c / sum};
  for (const double t : roots) {
    const double s = (start + t * along) / hull.slant;
    // False for roots that do not exist.
    if (s >= 0.0 && s <= 1.0)
      interval.include(t);
  }
}

/** \brief Finds where a ray first meets the surface of a capsule as a whole, or leaves it if
 * it starts inside.
 * \param[in] origin of the ray
 * \param[in] direction of any length but 0
 * \param[in] hull the capsule
 * \param[out] distance in lengths of \a direction, above 0
 * \return whether there is such a point; a ray that touches the capsule hits it
 */
PCL_GPU_HOST_DEVICE bool
firstHit(const Vector3d& origin,
         const Vector3d& direction,
         const TaperedCapsuleHull& hull,
         double& distance)
{
  // The hull is convex, and each of these points is in it or on its surface: the first and
  // the last of them are where the ray enters and leaves.
  RayInterval interval;
  const Vector3d from_a = origin - hull.a;
  includeSphere(from_a, direction, hull.radius_a, interval);
  includeSphere(from_a - hull.axis, direction, hull.radius_b, interval);
  includeSide(hull, from_a, direction, interval);
  distance = interval.first > 0.0 ? interval.first : interval.last;
  return distance > 0.0 && distance < INFINITY;
}

/** \brief The direction away from the capsule at a point of its surface, unit length. */
PCL_GPU_HOST_DEVICE Vector3d
normalAt(const TaperedCapsuleHull& hull, const Vector3d& point)
{
  const Vector3d from_a = point - hull.a;
  double s = hull.tapering > 0.0 ? 0.0 : 1.0;
  if (hull.slant > 0.0) {
    s = placeOnAxis(hull, from_a);
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
  }
  const Vector3d away = from_a - s * hull.axis;
  return (1.0 / sqrt(dot(away, away))) * away;
}

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsules/capsule_exact.hpp"

namespace pcl::device {

/** \brief Returns a capsule with a radius for each end. */
PCL_GPU_HOST_DEVICE TaperedCapsule
tapered(const Capsule& c)
{
  return {{c.a[0], c.a[1], c.a[2]}, c.radius, {c.b[0], c.b[1], c.b[2]}, c.radius};
}

PCL_GPU_HOST_DEVICE const TaperedCapsule&
tapered(const TaperedCapsule& capsule)
{
  return capsule;
}

/** \brief Returns whether a capsule exists; see gpu::Capsule. */
PCL_GPU_HOST_DEVICE bool
exists(const TaperedCapsule& capsule)
{
  constexpr float greatest = 1e30f;
  bool result = capsule.radius_a >= 0.0f && capsule.radius_b >= 0.0f &&
                capsule.radius_a <= greatest && capsule.radius_b <= greatest;
  for (int i = 0; i < 3; ++i)
    result =
        result && fabsf(capsule.a[i]) <= greatest && fabsf(capsule.b[i]) <= greatest;
  return result;
}

/** \brief Returns the length of the ray through a point to the surface of a capsule,
 * less that to the point.
 * \return NaN if the ray does not cross the surface
 */
PCL_GPU_HOST_DEVICE float
exactDistance(const Vector3& point,
              const Vector3& viewpoint,
              const TaperedCapsule& capsule)
{
  if (!exists(capsule))
    return NAN;
  const DoubleVector origin = asDoubles(point);
  const DoubleVector direction = origin - asDoubles(viewpoint);
  const DoubleVector a = asDoubles(capsule.a) - origin;
  const DoubleVector b = asDoubles(capsule.b) - origin;
  const LinePart part = partWithin(direction, a, capsule.radius_a, b, capsule.radius_b);
  const double length = sqrt(dot(direction, direction));
  // The viewpoint is at -1.
  if (part.begin > -1.0 && part.begin < HUGE_VAL)
    return static_cast<float>(part.begin * length);
  if (part.end > -1.0)
    return static_cast<float>(part.end * length);
  return NAN;
}

/** \brief Returns whether a capsule needs double precision; see PreparedCapsule. */
template <typename Prepared>
PCL_GPU_HOST_DEVICE bool
needsExactness(const Prepared& capsule)
{
#if defined(__CUDA_ARCH__)
  return __float_as_int(capsule.radius) < 0;
#else
  return std::signbit(capsule.radius);
#endif
}

/** \brief The axis of a capsule in double precision. */
struct CapsuleAxis {
  DoubleVector direction;
  double length;
  /** \brief The least distance of the viewpoint from the segment. */
  double viewpoint_distance;
};

PCL_GPU_HOST_DEVICE CapsuleAxis
axisOf(const float* a, const float* b, const Vector3& viewpoint)
{
  const DoubleVector whole = asDoubles(b) - asDoubles(a);
  const DoubleVector w = asDoubles(viewpoint) - asDoubles(a);
  const double length = sqrt(dot(whole, whole));
  CapsuleAxis axis = {{1.0, 0.0, 0.0}, 0.0, 0.0};
  if (length > 1e-30) {
    axis.direction = {whole.x / length, whole.y / length, whole.z / length};
    axis.length = length;
  }
  const double height = fmin(fmax(dot(w, axis.direction), 0.0), axis.length);
  const DoubleVector apart = w - height * axis.direction;
  axis.viewpoint_distance = sqrt(dot(apart, apart));
  return axis;
}

/** \brief Returns whether single precision is too coarse: for a capsule that is too
 * large or too thin, or that may contain the viewpoint, so that rays leave it. */
PCL_GPU_HOST_DEVICE bool
isSpecial(const CapsuleAxis& axis,
          float least_radius,
          float largest_radius,
          float truncation_distance)
{
  constexpr double large = 128.0, thin = 1e-3;
  return axis.viewpoint_distance <= 1.0001 * largest_radius ||
         axis.length + largest_radius > large * truncation_distance ||
         least_radius <= thin * (axis.length + 2.0 * truncation_distance);
}

template <typename Prepared>
PCL_GPU_HOST_DEVICE bool
prepareAxis(const TaperedCapsule& source, const CapsuleAxis& axis, Prepared& prepared)
{
  const bool there = exists(source);
  for (int i = 0; i < 3; ++i)
    prepared.a[i] = source.a[i];
  prepared.radius = source.radius_a;
  prepared.axis[0] = static_cast<float>(axis.direction.x);
  prepared.axis[1] = static_cast<float>(axis.direction.y);
  prepared.axis[2] = static_cast<float>(axis.direction.z);
  prepared.length = static_cast<float>(axis.length);
  // No ray is near NaN.
  if (!there) {
    prepared.a[0] = prepared.length = NAN;
    prepared.radius = 0.0f;
  }
  return there;
}

PCL_GPU_HOST_DEVICE PreparedCapsule
prepare(const Capsule& source, const Vector3& viewpoint, float truncation_distance)
{
  const CapsuleAxis axis = axisOf(source.a, source.b, viewpoint);
  PreparedCapsule prepared;
  if (prepareAxis(tapered(source), axis, prepared) &&
      isSpecial(axis, source.radius, source.radius, truncation_distance))
    prepared.radius = -prepared.radius;
  return prepared;
}

PCL_GPU_HOST_DEVICE PreparedTaperedCapsule
prepare(const TaperedCapsule& source,
        const Vector3& viewpoint,
        float truncation_distance)
{
  const CapsuleAxis axis = axisOf(source.a, source.b, viewpoint);
  PreparedTaperedCapsule prepared;
  const bool there = prepareAxis(source, axis, prepared);
  prepared.radius_b = source.radius_b;
  prepared.largest_radius = fmaxf(source.radius_a, source.radius_b);
  const double difference = static_cast<double>(source.radius_a) - source.radius_b;
  if (!(axis.length > fabs(difference))) {
    // One ball contains the other.
    if (difference < 0.0 && there)
      for (int i = 0; i < 3; ++i)
        prepared.a[i] = source.b[i];
    prepared.radius = prepared.radius_b = prepared.largest_radius;
    prepared.length = there ? 0.0f : NAN;
    prepared.sine = 0.0f;
    prepared.cosine = 1.0f;
  }
  else {
    const double sine = difference / axis.length;
    prepared.sine = static_cast<float>(sine);
    prepared.cosine = static_cast<float>(sqrt(1.0 - sine * sine));
  }
  // A cone that is nearly flat also needs more digits.
  if (there && (isSpecial(axis,
                          fminf(source.radius_a, source.radius_b),
                          prepared.largest_radius,
                          truncation_distance) ||
                prepared.cosine < 0.1f))
    prepared.radius = -prepared.radius;
  return prepared;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsules/capsule_types.hpp"

#include <cmath>

// Rays and capsules in double precision, for cases that single precision does not
// decide.

namespace pcl::device {

struct DoubleVector {
  double x, y, z;
};

PCL_GPU_HOST_DEVICE DoubleVector
operator-(const DoubleVector& a, const DoubleVector& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

PCL_GPU_HOST_DEVICE DoubleVector
operator*(double a, const DoubleVector& b)
{
  return {a * b.x, a * b.y, a * b.z};
}

PCL_GPU_HOST_DEVICE DoubleVector
asDoubles(const float* v)
{
  return {v[0], v[1], v[2]};
}

PCL_GPU_HOST_DEVICE DoubleVector
asDoubles(const Vector3& p)
{
  return {p.x, p.y, p.z};
}

PCL_GPU_HOST_DEVICE double
dot(const DoubleVector& a, const DoubleVector& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

PCL_GPU_HOST_DEVICE DoubleVector
cross(const DoubleVector& a, const DoubleVector& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/** \brief The part of a line within a solid; empty if it begins behind its end. */
struct LinePart {
  double begin, end;
};

PCL_GPU_HOST_DEVICE void
include(LinePart& part, double begin, double end)
{
  part.begin = begin < part.begin ? begin : part.begin;
  part.end = end > part.end ? end : part.end;
}

/** \brief Returns a difference of two squares, or 0 if it may be a rounding error:
 * touching is a hit. */
PCL_GPU_HOST_DEVICE double
touchingIsZero(double difference, double square)
{
  return fabs(difference) <= 1e-14 * square ? 0.0 : difference;
}

/** \brief Includes the part within a ball of a line through the origin.
 * \param[in] direction of the line, any length
 * \param[in] centre seen from the line's origin
 */
PCL_GPU_HOST_DEVICE void
includeBall(LinePart& part,
            const DoubleVector& direction,
            const DoubleVector& centre,
            double radius)
{
  const double square = dot(direction, direction);
  const DoubleVector moment = cross(direction, centre);
  const double reach = radius * radius * square;
  const double discriminant = touchingIsZero(reach - dot(moment, moment), reach);
  if (!(discriminant >= 0.0))
    return;
  const double middle = dot(direction, centre), root = sqrt(discriminant);
  include(part, (middle - root) / square, (middle + root) / square);
}

/** \brief Includes the points of a line on a cone or cylinder between its two ends.
 *
 * Its flat ends do not matter: they lie in the balls.
 * \param[in] square,half,constant of square t^2 + 2 half t + constant, which is
 * negative inside
 * \param[in] height,slope along the axis: height + t slope
 * \param[in] lowest,highest heights of the ends
 */
PCL_GPU_HOST_DEVICE void
includeSide(LinePart& part,
            double square,
            double half,
            double constant,
            double discriminant,
            double height,
            double slope,
            double lowest,
            double highest)
{
  if (!(discriminant >= 0.0))
    return;
  // Neither root is a difference of equals. A missing root is infinite or NaN.
  const double root = sqrt(discriminant);
  const double larger = half < 0.0 ? root - half : -half - root;
  const double roots[2] = {larger / square, constant / larger};
  for (const double t : roots) {
    const double at = height + t * slope;
    if (at >= lowest && at <= highest)
      include(part, t, t);
  }
}

/** \brief The part of a line through the origin within the hull of two balls. */
PCL_GPU_HOST_DEVICE LinePart
partWithin(const DoubleVector& direction,
           const DoubleVector& a,
           double radius_a,
           const DoubleVector& b,
           double radius_b)
{
  LinePart part = {HUGE_VAL, -HUGE_VAL};
  includeBall(part, direction, a, radius_a);
  includeBall(part, direction, b, radius_b);

  const DoubleVector axis = b - a;
  const double length_square = dot(axis, axis);
  const double difference = radius_a - radius_b;
  if (!(length_square > difference * difference))
    return part; // one ball contains the other
  const DoubleVector w = {-a.x, -a.y, -a.z};
  const DoubleVector across = cross(direction, axis);
  const double along = dot(direction, axis), height = dot(w, axis);
  if (difference == 0.0) {
    // B and A of equation 10, times |axis|^2; its discriminant follows from the
    // distance of the two lines, which loses nothing.
    const double square = dot(across, across);
    const double distance = dot(w, across);
    const double reach = radius_a * radius_a * square;
    const double rest = touchingIsZero(reach - distance * distance, reach);
    const DoubleVector w_across = cross(w, axis);
    includeSide(part,
                square,
                dot(across, w_across),
                dot(w_across, w_across) - radius_a * radius_a * length_square,
                length_square * rest,
                height,
                along,
                0.0,
                length_square);
    return part;
  }
  // The cone that touches both balls: (rho cos)^2 = (radius_a - y sin)^2, with y along
  // the axis, all times |axis|^2.
  const double length = sqrt(length_square);
  const double sine = difference / length;
  const double cosine_square = 1.0 - sine * sine;
  const DoubleVector w_across = cross(w, axis);
  const double u = along / length, v = radius_a - height / length * sine;
  const double square =
      dot(across, across) / length_square * cosine_square - u * u * sine * sine;
  const double half =
      dot(across, w_across) / length_square * cosine_square + u * sine * v;
  const double constant =
      dot(w_across, w_across) / length_square * cosine_square - v * v;
  const double discriminant = touchingIsZero(half * half - square * constant,
                                             half * half + fabs(square * constant));
  includeSide(part,
              square,
              half,
              constant,
              discriminant,
              height / length,
              u,
              radius_a * sine,
              length + radius_b * sine);
  return part;
}

} // namespace pcl::device

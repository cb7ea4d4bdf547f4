// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics/rotation.hpp"

#include <cmath>

namespace pcl::device {

// A joint that turns about three perpendicular axes, one after the other, without
// limits, is a ball joint. Its three angles are one rotation, which many triples
// describe: near a quarter turn of the second, the others are not determined one by
// one, and small turns can change them much. So ball joints move and are averaged as
// rotations.

/** \brief The rotation R(axis_0, angle_0) R(axis_1, angle_1) R(axis_2, angle_2), in the
 * frame of the axes.
 * \param[in] side 1 for right-handed axes, -1 for left-handed ones
 */
PCL_GPU_HOST_DEVICE Quaternion
ballRotation(const float* angles, float side)
{
  const auto turn = [&](int axis) {
    const float half = 0.5f * side * angles[axis];
    Quaternion q = {cosine(half), 0.0f, 0.0f, 0.0f};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sine(half);
    return q;
  };
  return turn(0) * turn(1) * turn(2);
}

/** \brief Returns the same angle between -pi and pi. */
PCL_GPU_HOST_DEVICE float
wrappedAngle(float angle)
{
  if (fabsf(angle) <= pi)
    return angle;
  const float turns = floorf(angle * (0.5f / pi) + 0.5f);
  return (angle - turns * 6.28125f) - turns * 1.93530718e-3f;
}

/** \brief Angles of a rotation: of the two triples that describe it, the one nearer to
 * others.
 *
 * Sum and difference of the first and last angle come from numbers that do not vanish
 * at the same time, so that the angles are right together at quarter turns of the
 * second, too.
 * \param[in] q of any length but 0
 * \param[in] side as above
 * \param[in] near three angles
 * \param[out] angles three, from -pi to pi
 */
PCL_GPU_HOST_DEVICE void
ballAngles(const Quaternion& q, float side, const float* near, float* angles)
{
  const double w = q.w, x = q.x, y = q.y, z = q.z;
  const double half_sum = arcTangent(x + z, w + y);
  const double half_difference = arcTangent(x - z, w - y);
  const double of_sum = sqrt((x + z) * (x + z) + (w + y) * (w + y));
  const double of_difference = sqrt((x - z) * (x - z) + (w - y) * (w - y));
  const double half_pi = 1.57079632679489661923;
  const double found[3] = {half_sum + half_difference,
                           2.0 * arcTangent(of_sum, of_difference) - half_pi,
                           half_sum - half_difference};
  float distances[2] = {0.0f, 0.0f}, triples[2][3];
  for (int axis = 0; axis < 3; ++axis) {
    const double other =
        axis == 1 ? 2.0 * half_pi - found[1] : found[axis] + 2.0 * half_pi;
    triples[0][axis] = wrappedAngle(side * static_cast<float>(found[axis]));
    triples[1][axis] = wrappedAngle(side * static_cast<float>(other));
    for (int i = 0; i < 2; ++i)
      distances[i] += fabsf(wrappedAngle(triples[i][axis] - near[axis]));
  }
  const int nearer = distances[1] < distances[0] ? 1 : 0;
  for (int axis = 0; axis < 3; ++axis)
    angles[axis] = triples[nearer][axis];
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>

namespace pcl::device {

struct Quaternion {
  float w, x, y, z;
};

PCL_GPU_HOST_DEVICE Quaternion
operator*(const Quaternion& a, const Quaternion& b)
{
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

PCL_GPU_HOST_DEVICE Quaternion
normalized(const Quaternion& q)
{
  const float length = sqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

/** \brief Returns the rotation about a vector by its length. */
PCL_GPU_HOST_DEVICE Quaternion
rotationAbout(const Vector3& vector)
{
  const float angle = sqrtf(dot(vector, vector));
  // Below this the sine of the half angle is the half angle, to the last bit.
  const float ratio = angle > 1e-4f ? sine(0.5f * angle) / angle : 0.5f;
  return {cosine(0.5f * angle), ratio * vector.x, ratio * vector.y, ratio * vector.z};
}

/** \brief Returns the angle of the direction (x, y), within 1e-15. The same bits
 * everywhere, unlike atan2(). After Cephes' atan(). */
PCL_GPU_HOST_DEVICE double
arcTangent(double y, double x)
{
  const double half_pi = 1.57079632679489661923;
  const double rest_of_half_pi = 6.123233995736765886130e-17;
  const double opposite = fabs(y), adjacent = fabs(x);
  if (opposite == 0.0 && adjacent == 0.0)
    return 0.0;
  // tan(3 pi / 8) and 0.66 split the axis into three.
  double t, base, rest;
  if (opposite > 2.41421356237309504880 * adjacent) {
    t = -adjacent / opposite;
    base = half_pi;
    rest = rest_of_half_pi;
  }
  else if (opposite > 0.66 * adjacent) {
    t = (opposite - adjacent) / (opposite + adjacent);
    base = 0.5 * half_pi;
    rest = 0.5 * rest_of_half_pi;
  }
  else {
    t = opposite / adjacent;
    base = 0.0;
    rest = 0.0;
  }
  const double s = t * t;
  double p = -8.750608600031904122785e-1;
  p = p * s - 1.615753718733365076637e1;
  p = p * s - 7.500855792314704667340e1;
  p = p * s - 1.228866684490136173410e2;
  p = p * s - 6.485021904942025371773e1;
  double q = s + 2.485846490142306297962e1;
  q = q * s + 1.650270098316988542046e2;
  q = q * s + 4.328810604912902668951e2;
  q = q * s + 4.853903996359136964868e2;
  q = q * s + 1.945506571482613964425e2;
  double angle = base + (t + (t * (s * p / q) + rest));
  if (x < 0.0)
    angle = 2.0 * half_pi - angle;
  return y < 0.0 ? -angle : angle;
}

/** \brief Returns the rotation vector from one unit quaternion to another: in the frame
 * of the first, at most pi long. */
PCL_GPU_HOST_DEVICE void
rotationVector(const Quaternion& first, const Quaternion& second, double (&vector)[3])
{
  const double from[4] = {first.w, first.x, first.y, first.z};
  const double to[4] = {second.w, second.x, second.y, second.z};
  const double w =
      from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  double v[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    v[axis] = from[0] * to[1 + axis] - from[1 + axis] * to[0] -
              from[1 + next] * to[1 + last] + from[1 + last] * to[1 + next];
  }
  const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double sign = w < 0.0 ? -1.0 : 1.0;
  const double ratio =
      length > 0.0 ? sign * (2.0 * arcTangent(length, fabs(w)) / length) : 0.0;
  for (int axis = 0; axis < 3; ++axis)
    vector[axis] = ratio * v[axis];
}

/** \brief Returns the unit vector of the greatest eigenvalue of a symmetric matrix
 * without negative ones, by squaring the matrix until the others vanish.
 * \param[in,out] m the matrix; left as a power of itself
 * \param[out] vector with a first number not below 0
 */
PCL_GPU_HOST_DEVICE void
principalAxis(double (&m)[4][4], double (&vector)[4])
{
  for (double& number : vector)
    number = 0.0;
  // Eigenvalues that 2^24 multiplications do not separate are the same. If the others
  // vanish, the trace of the square is the square of the trace.
  constexpr double nearly_one = 1.0 - 1e-14;
  double trace = 0.0;
  for (int squaring = 0; squaring < 24 && !(trace > nearly_one); ++squaring) {
    const double scale = 1.0 / (m[0][0] + m[1][1] + m[2][2] + m[3][3]);
    double square[4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = i; j < 4; ++j) {
        const double product = (m[i][0] * m[0][j] + m[i][1] * m[1][j]) +
                               (m[i][2] * m[2][j] + m[i][3] * m[3][j]);
        square[i][j] = square[j][i] = product * scale * scale;
      }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        m[i][j] = square[i][j];
    trace = m[0][0] + m[1][1] + m[2][2] + m[3][3];
  }
  // All columns are multiples of the vector; the longest has the least errors.
  double greatest = 0.0;
  for (int column = 0; column < 4; ++column)
    if (m[column][column] > greatest) {
      greatest = m[column][column];
      for (int i = 0; i < 4; ++i)
        vector[i] = m[i][column];
    }
  double length = 0.0;
  for (int i = 0; i < 4; ++i)
    length += vector[i] * vector[i];
  length = vector[0] < 0.0 ? -sqrt(length) : sqrt(length);
  for (int i = 0; i < 4; ++i)
    vector[i] = vector[i] / length;
}

} // namespace pcl::device

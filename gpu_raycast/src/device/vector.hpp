// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstring>

// This module is compiled without contraction of products and sums into fused operations:
// the watertight test rests on it, and so does equality of host and CUDA.

namespace pcl {
namespace device {

struct Vector3 {
  float x, y, z;
};

PCL_GPU_HOST_DEVICE Vector3
operator+(const Vector3& a, const Vector3& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

PCL_GPU_HOST_DEVICE Vector3
operator-(const Vector3& a, const Vector3& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

PCL_GPU_HOST_DEVICE Vector3
operator*(float a, const Vector3& b)
{
  return {a * b.x, a * b.y, a * b.z};
}

PCL_GPU_HOST_DEVICE float
dot(const Vector3& a, const Vector3& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

PCL_GPU_HOST_DEVICE Vector3
cross(const Vector3& a, const Vector3& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/** \brief The lesser of two numbers, neither of which is NaN. */
PCL_GPU_HOST_DEVICE float
lesser(float a, float b)
{
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

/** \brief The greater of two numbers, neither of which is NaN. */
PCL_GPU_HOST_DEVICE float
greater(float a, float b)
{
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

/** \brief 1 / a to one unit in the last place, for 1e-37 < a < 1e37. */
PCL_GPU_HOST_DEVICE float
roughReciprocal(float a)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return 1.0f / a;
#endif
}

/** \brief The integer next to a number of at most 2^22. */
PCL_GPU_HOST_DEVICE int
nearestInteger(float a)
{
  // At 1.5 * 2^23 floats are integers: the sum is rounded to one.
  const float shifted = a + 12582912.0f;
#if defined(__CUDA_ARCH__)
  return __float_as_int(shifted) - 0x4b400000;
#else
  int bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  return bits - 0x4b400000;
#endif
}

/** \brief The rotation of \a transform only. */
PCL_GPU_HOST_DEVICE Vector3
rotate(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
          m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

PCL_GPU_HOST_DEVICE Vector3
transformPoint(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  const Vector3 rotated = rotate(transform, v);
  return {rotated.x + m[0][3], rotated.y + m[1][3], rotated.z + m[2][3]};
}

} // namespace device
} // namespace pcl

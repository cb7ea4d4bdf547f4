// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
#include <cstring>

// This module is compiled without contraction of products and sums into fused operations:
// the watertight test rests on it, and so does equality of host and CUDA.

namespace pcl::device {

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

/** \brief The largest magnitude. */
PCL_GPU_HOST_DEVICE float
largestCoordinate(const Vector3& v)
{
  return greater(fabsf(v.x), greater(fabsf(v.y), fabsf(v.z)));
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

PCL_GPU_HOST_DEVICE float
choose(bool condition, float yes, float no)
{
  return condition ? yes : no;
}

#define PCL_GPU_RAY_MATH PCL_GPU_HOST_DEVICE
#include "ray_math-inl.h"
#undef PCL_GPU_RAY_MATH

/** \brief The rotation of \a transform only. */
PCL_GPU_HOST_DEVICE Vector3
rotate(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  return {rotatedCoordinate(m[0], v.x, v.y, v.z),
          rotatedCoordinate(m[1], v.x, v.y, v.z),
          rotatedCoordinate(m[2], v.x, v.y, v.z)};
}

PCL_GPU_HOST_DEVICE Vector3
transformPoint(const RigidTransform& transform, const Vector3& v)
{
  const auto& m = transform.m;
  return {transformedCoordinate(m[0], v.x, v.y, v.z),
          transformedCoordinate(m[1], v.x, v.y, v.z),
          transformedCoordinate(m[2], v.x, v.y, v.z)};
}

} // namespace pcl::device

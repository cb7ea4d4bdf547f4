// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/element_math.hpp>

// The vocabulary of element_math.hpp for code that is compiled once for CUDA and once
// for the host, number by number.

namespace pcl::device {

PCL_GPU_HOST_DEVICE double
roundDown(double a)
{
  return floor(a);
}

/** \brief Returns the lesser of two numbers, neither of which is NaN: one
 * instruction. */
PCL_GPU_HOST_DEVICE float
minimum(float a, float b)
{
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

/** \brief Returns the greater of two numbers, neither of which is NaN: one
 * instruction. */
PCL_GPU_HOST_DEVICE float
maximum(float a, float b)
{
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

/** \brief Returns 1 / a to one unit in the last place, for 1e-37 < a < 1e37. The host's
 * and CUDA's results differ. */
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

} // namespace pcl::device

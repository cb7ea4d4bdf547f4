// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>

// Element maths is written once, as templates over the number type. A CUDA thread runs
// it on float or double; the host driver runs it on Lanes (lanes-inl.h), a SIMD
// register full of them. The functions here are the scalar half of the vocabulary that
// both share.
//
// Files of element maths end in -inl.h and are compiled once for each SIMD target, in a
// namespace of the target's own. They guard against double inclusion the way Highway's
// own -inl.h files do and open their namespace with PCL_GPU_ELEMENT_NAMESPACE_BEGIN.

#if defined(__CUDACC__)
#define PCL_GPU_ELEMENT_NAMESPACE_BEGIN                                                \
  namespace pcl {                                                                      \
  namespace device {
#define PCL_GPU_ELEMENT_NAMESPACE_END                                                  \
  }                                                                                    \
  }
#define PCL_GPU_ELEMENT __host__ __device__ __forceinline__
#else
#define PCL_GPU_ELEMENT_NAMESPACE_BEGIN                                                \
  HWY_BEFORE_NAMESPACE();                                                              \
  namespace pcl {                                                                      \
  namespace device {                                                                   \
  namespace HWY_NAMESPACE {
#define PCL_GPU_ELEMENT_NAMESPACE_END                                                  \
  }                                                                                    \
  }                                                                                    \
  }                                                                                    \
  HWY_AFTER_NAMESPACE();
#define PCL_GPU_ELEMENT HWY_INLINE
#endif

namespace pcl::device {

template <typename T>
PCL_GPU_HOST_DEVICE T
select(bool condition, T yes, T no)
{
  return condition ? yes : no;
}

/** \brief Returns a b + c, rounded once. */
PCL_GPU_HOST_DEVICE float
mulAdd(float a, float b, float c)
{
  return fmaf(a, b, c);
}

PCL_GPU_HOST_DEVICE double
mulAdd(double a, double b, double c)
{
  return fma(a, b, c);
}

template <typename T>
PCL_GPU_HOST_DEVICE T
fusedMulAdd(T a, T b, T c)
{
  return mulAdd(a, b, c);
}

/** \brief Returns c - a b, rounded once. */
template <typename T>
PCL_GPU_HOST_DEVICE T
negativeMulAdd(T a, T b, T c)
{
  return mulAdd(-a, b, c);
}

PCL_GPU_HOST_DEVICE float
squareRoot(float a)
{
  return sqrtf(a);
}

PCL_GPU_HOST_DEVICE double
squareRoot(double a)
{
  return sqrt(a);
}

template <typename T>
PCL_GPU_HOST_DEVICE T
minimum(T a, T b)
{
  return a < b ? a : b;
}

template <typename T>
PCL_GPU_HOST_DEVICE T
maximum(T a, T b)
{
  return a > b ? a : b;
}

PCL_GPU_HOST_DEVICE float
absolute(float a)
{
  return fabsf(a);
}

PCL_GPU_HOST_DEVICE double
absolute(double a)
{
  return fabs(a);
}

/** \brief Returns the next integer below, or \a a itself. */
PCL_GPU_HOST_DEVICE float
roundDown(float a)
{
  return floorf(a);
}

/** \brief Returns the next integer above, or \a a itself. */
PCL_GPU_HOST_DEVICE float
roundUp(float a)
{
  return ceilf(a);
}

PCL_GPU_HOST_DEVICE bool
isFinite(float a)
{
  return fabsf(a) <= 3.402823466e38f;
}

/** \brief Returns 2^a for a <= 0, within 2e-7, relative. Where that is below 2^-125,
 * returns any number from 0 to 2^-125. */
PCL_GPU_HOST_DEVICE float
exp2OfNegative(float a)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return exp2f(a);
#endif
}

/** \brief Returns a / b within two units in the last place, for 1e-37 < |b| < 1e37. */
PCL_GPU_HOST_DEVICE float
roughQuotient(float a, float b)
{
#if defined(__CUDA_ARCH__)
  return __fdividef(a, b);
#else
  return a / b;
#endif
}

/** \brief Returns 1 / a to at least 20 bits. */
PCL_GPU_HOST_DEVICE double
roughReciprocal(double a)
{
#if defined(__CUDA_ARCH__)
  double result;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(a));
  return result;
#else
  return 1.0 / a;
#endif
}

/** \brief Returns the square root of a positive number to at least 20 bits. */
PCL_GPU_HOST_DEVICE double
roughSquareRoot(double a)
{
#if defined(__CUDA_ARCH__)
  double result;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(a));
  return a * result;
#else
  return sqrt(a);
#endif
}

/** \brief Rounds to single precision. */
PCL_GPU_HOST_DEVICE float
narrow(double a)
{
  return static_cast<float>(a);
}

/** \brief Converts a condition on doubles to one on the floats they were rounded to. */
PCL_GPU_HOST_DEVICE bool
narrowMask(bool a)
{
  return a;
}

PCL_GPU_HOST_DEVICE double
widen(float a)
{
  return a;
}

PCL_GPU_HOST_DEVICE bool
allOf(bool a)
{
  return a;
}

PCL_GPU_HOST_DEVICE bool
anyOf(bool a)
{
  return a;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_SCENE_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_SCENE_MATH_INL_H
#undef PCL_GPU_SCENESPACE_SCENE_MATH_INL_H
#else
#define PCL_GPU_SCENESPACE_SCENE_MATH_INL_H
#endif

#include <pcl/gpu/utils/internal/device/element_math.hpp>
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

#if defined(__CUDACC__)

/** \brief 1 / a within two units in the last place, for 1e-37 < |a| < 1e37. */
PCL_GPU_ELEMENT float
roughInverse(float a)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return 1.0f / a;
#endif
}

/** \brief The smaller one; in one instruction, as neither is NaN where it matters. */
PCL_GPU_ELEMENT float
smaller(float a, float b)
{
  return fminf(a, b);
}

PCL_GPU_ELEMENT float
withExponentOf(float number, float shifted)
{
#if defined(__CUDA_ARCH__)
  return __int_as_float(__float_as_int(number) + (__float_as_int(shifted) << 23));
#else
  return number * exp2f(shifted - 12582912.0f);
#endif
}

#else

template <typename Tag>
HWY_INLINE Lanes<Tag>
roughInverse(Lanes<Tag> a)
{
  return Lanes<Tag>(1.0f) / a;
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
smaller(Lanes<Tag> a, Lanes<Tag> b)
{
  return minimum(a, b);
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
withExponentOf(Lanes<Tag> number, Lanes<Tag> shifted)
{
  const hn::Rebind<int, Tag> int_tag;
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(int_tag, shifted.value));
  return {hn::BitCast(Tag(), hn::Add(hn::BitCast(int_tag, number.value), exponent))};
}

#endif

/** \brief 2^a for a <= 0, within 4e-6, relative, and 1 for 0; below 2^-126 no more than
 * that. The same bits on every device. */
template <typename Number>
PCL_GPU_ELEMENT Number
exponential2(Number a)
{
  // Adding and subtracting 1.5 * 2^23 rounds to a whole number, which is then found in
  // the lowest bits of the sum.
  const Number shifter(12582912.0f);
  const Number clamped = maximum(a, Number(-126.0f));
  const Number shifted = clamped + shifter;
  const Number x = clamped - (shifted - shifter);
  // Minimax polynomial of 2^x on [-1/2, 1/2] that is 1 at 0.
  Number p = fusedMulAdd(x, Number(9.78291221e-3f), Number(5.59768826e-2f));
  p = fusedMulAdd(x, p, Number(2.40207106e-1f));
  p = fusedMulAdd(x, p, Number(6.93113625e-1f));
  p = fusedMulAdd(x, p, Number(1.0f));
  return withExponentOf(p, shifted);
}

template <typename Number>
PCL_GPU_ELEMENT Number
squaredLength(Number x, Number y, Number z)
{
  return fusedMulAdd(x, x, fusedMulAdd(y, y, z * z));
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

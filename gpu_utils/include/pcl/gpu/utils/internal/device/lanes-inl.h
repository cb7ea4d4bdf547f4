// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_UTILS_DEVICE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_UTILS_DEVICE_LANES_INL_H
#undef PCL_GPU_UTILS_DEVICE_LANES_INL_H
#else
#define PCL_GPU_UTILS_DEVICE_LANES_INL_H
#endif

#include <pcl/gpu/utils/internal/device/element_math.hpp>

#ifndef __CUDACC__
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

// The SIMD half of the element maths' vocabulary (see element_math.hpp): a register of
// numbers that behaves like one number. Host drivers include it after
// hwy/foreach_target.h. For nvcc there is only the scalar half.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

namespace hn = hwy::HWY_NAMESPACE;

/** \brief Tags of the target's float lanes, its double lanes, and as many floats as
 * doubles. */
using FloatTag = hn::ScalableTag<float>;
using DoubleTag = hn::ScalableTag<double>;
using HalfFloatTag = hn::Rebind<float, DoubleTag>;

/** \brief Result of a comparison, lane by lane. */
template <typename Tag>
struct LaneMask {
  hn::Mask<Tag> value;
};

/** \brief A SIMD register of Tag's numbers with the operators of a number. */
template <typename Tag>
struct Lanes {
  using Scalar = hn::TFromD<Tag>;

  hn::Vec<Tag> value;

  Lanes() = default;
  HWY_INLINE
  Lanes(hn::Vec<Tag> v) : value(v) {}
  HWY_INLINE
  Lanes(Scalar scalar) : value(hn::Set(Tag(), scalar)) {}
};

template <typename Tag>
HWY_INLINE Lanes<Tag>
load(Tag tag, const hn::TFromD<Tag>* from)
{
  return {hn::LoadU(tag, from)};
}

template <typename Tag>
HWY_INLINE void
store(Lanes<Tag> lanes, hn::TFromD<Tag>* to)
{
  hn::StoreU(lanes.value, Tag(), to);
}

// The scalar overloads keep expressions such as `1.0f - lanes` readable.
#define PCL_GPU_LANES_OPERATOR(OPERATOR, RESULT, FUNCTION)                             \
  template <typename Tag>                                                              \
  HWY_INLINE RESULT<Tag> operator OPERATOR(Lanes<Tag> a, Lanes<Tag> b)                 \
  {                                                                                    \
    return {hn::FUNCTION(a.value, b.value)};                                           \
  }                                                                                    \
  template <typename Tag>                                                              \
  HWY_INLINE RESULT<Tag> operator OPERATOR(Lanes<Tag> a, hn::TFromD<Tag> b)            \
  {                                                                                    \
    return a OPERATOR Lanes<Tag>(b);                                                   \
  }                                                                                    \
  template <typename Tag>                                                              \
  HWY_INLINE RESULT<Tag> operator OPERATOR(hn::TFromD<Tag> a, Lanes<Tag> b)            \
  {                                                                                    \
    return Lanes<Tag>(a) OPERATOR b;                                                   \
  }
PCL_GPU_LANES_OPERATOR(+, Lanes, Add)
PCL_GPU_LANES_OPERATOR(-, Lanes, Sub)
PCL_GPU_LANES_OPERATOR(*, Lanes, Mul)
PCL_GPU_LANES_OPERATOR(/, Lanes, Div)
PCL_GPU_LANES_OPERATOR(<, LaneMask, Lt)
PCL_GPU_LANES_OPERATOR(<=, LaneMask, Le)
PCL_GPU_LANES_OPERATOR(>, LaneMask, Gt)
PCL_GPU_LANES_OPERATOR(>=, LaneMask, Ge)
#undef PCL_GPU_LANES_OPERATOR

template <typename Tag>
HWY_INLINE Lanes<Tag>
operator-(Lanes<Tag> a)
{
  return {hn::Neg(a.value)};
}

// Single & and |: both sides are always evaluated, for bool too.
template <typename Tag>
HWY_INLINE LaneMask<Tag>
operator&(LaneMask<Tag> a, LaneMask<Tag> b)
{
  return {hn::And(a.value, b.value)};
}

template <typename Tag>
HWY_INLINE LaneMask<Tag>
operator|(LaneMask<Tag> a, LaneMask<Tag> b)
{
  return {hn::Or(a.value, b.value)};
}

template <typename Tag>
HWY_INLINE LaneMask<Tag>
operator!(LaneMask<Tag> a)
{
  return {hn::Not(a.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
select(LaneMask<Tag> condition, Lanes<Tag> yes, Lanes<Tag> no)
{
  return {hn::IfThenElse(condition.value, yes.value, no.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
mulAdd(Lanes<Tag> a, Lanes<Tag> b, Lanes<Tag> c)
{
  return {hn::MulAdd(a.value, b.value, c.value)};
}

/** \brief Returns a b + c, rounded once, also on processors without an instruction for
 * it. */
template <typename Tag>
HWY_INLINE Lanes<Tag>
fusedMulAdd(Lanes<Tag> a, Lanes<Tag> b, Lanes<Tag> c)
{
#if HWY_NATIVE_FMA
  return mulAdd(a, b, c);
#else
  using Scalar = hn::TFromD<Tag>;
  constexpr std::size_t count = hn::MaxLanes(Tag());
  Scalar x[count], y[count], z[count];
  store(a, x);
  store(b, y);
  store(c, z);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = std::fma(x[i], y[i], z[i]);
  return load(Tag(), x);
#endif
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
negativeMulAdd(Lanes<Tag> a, Lanes<Tag> b, Lanes<Tag> c)
{
  return {hn::NegMulAdd(a.value, b.value, c.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
squareRoot(Lanes<Tag> a)
{
  return {hn::Sqrt(a.value)};
}

/** \brief Returns a / b within two units in the last place, for 1e-37 < |b| < 1e37. */
template <typename Tag>
HWY_INLINE Lanes<Tag>
roughQuotient(Lanes<Tag> a, Lanes<Tag> b)
{
  return a / b;
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
minimum(Lanes<Tag> a, Lanes<Tag> b)
{
  return {hn::Min(a.value, b.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
maximum(Lanes<Tag> a, Lanes<Tag> b)
{
  return {hn::Max(a.value, b.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
absolute(Lanes<Tag> a)
{
  return {hn::Abs(a.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
roundDown(Lanes<Tag> a)
{
  return {hn::Floor(a.value)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
roundUp(Lanes<Tag> a)
{
  return {hn::Ceil(a.value)};
}

template <typename Tag>
HWY_INLINE LaneMask<Tag>
isFinite(Lanes<Tag> a)
{
  return {hn::IsFinite(a.value)};
}

/** \brief Returns 2^a for a <= 0, within 2e-7, relative. Where that is below 2^-125,
 * returns any number from 0 to 2^-125.
 *
 * Highway's exp covers the whole range at twice the cost; this is the filter's inner
 * loop.
 */
template <typename Tag>
HWY_INLINE Lanes<Tag>
exp2OfNegative(Lanes<Tag> a)
{
  const hn::Rebind<int, Tag> int_tag;
  // Adding and subtracting 1.5 * 2^23 rounds to an integer, which is in the lowest bits
  // of the sum.
  const Lanes<Tag> shifter(12582912.0f);
  const Lanes<Tag> clamped = maximum(a, Lanes<Tag>(-126.0f));
  const Lanes<Tag> shifted = clamped + shifter;
  const Lanes<Tag> x = clamped - (shifted - shifter);
  // Minimax polynomial of 2^x on [-1/2, 1/2].
  Lanes<Tag> p = mulAdd(x, Lanes<Tag>(1.32646072e-3f), Lanes<Tag>(9.67147176e-3f));
  p = mulAdd(x, p, Lanes<Tag>(5.55073367e-2f));
  p = mulAdd(x, p, Lanes<Tag>(2.40222427e-1f));
  p = mulAdd(x, p, Lanes<Tag>(6.93146978e-1f));
  p = mulAdd(x, p, Lanes<Tag>(1.0f));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(int_tag, shifted.value));
  return {hn::BitCast(Tag(), hn::Add(hn::BitCast(int_tag, p.value), exponent))};
}

/** \brief Rounds to single precision. */
HWY_INLINE Lanes<HalfFloatTag>
narrow(Lanes<DoubleTag> a)
{
  return {hn::DemoteTo(HalfFloatTag(), a.value)};
}

/** \brief Converts a condition on doubles to one on the floats they were rounded to. */
HWY_INLINE LaneMask<HalfFloatTag>
narrowMask(LaneMask<DoubleTag> mask)
{
  const DoubleTag tag;
  const hn::Vec<DoubleTag> numbers =
      hn::IfThenElse(mask.value, hn::Set(tag, 1.0), hn::Zero(tag));
  return Lanes<HalfFloatTag>{hn::DemoteTo(HalfFloatTag(), numbers)} >
         Lanes<HalfFloatTag>(0.0f);
}

HWY_INLINE Lanes<DoubleTag>
widen(Lanes<HalfFloatTag> a)
{
  return {hn::PromoteTo(DoubleTag(), a.value)};
}

/** \brief Returns 1 / a to at least 20 bits; a must be in the range of single
 * precision. */
HWY_INLINE Lanes<DoubleTag>
roughReciprocal(Lanes<DoubleTag> a)
{
  return widen(Lanes<HalfFloatTag>(1.0f) / narrow(a));
}

/** \brief Returns the square root of a positive number to at least 20 bits, in that
 * range. */
HWY_INLINE Lanes<DoubleTag>
roughSquareRoot(Lanes<DoubleTag> a)
{
  return widen(squareRoot(narrow(a)));
}

template <typename Tag>
HWY_INLINE bool
allOf(LaneMask<Tag> mask)
{
  return hn::AllTrue(Tag(), mask.value);
}

template <typename Tag>
HWY_INLINE bool
anyOf(LaneMask<Tag> mask)
{
  return !hn::AllFalse(Tag(), mask.value);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif // __CUDACC__

#endif

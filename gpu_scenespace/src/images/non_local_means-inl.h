// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_NON_LOCAL_MEANS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_NON_LOCAL_MEANS_INL_H
#undef PCL_GPU_SCENESPACE_NON_LOCAL_MEANS_INL_H
#else
#define PCL_GPU_SCENESPACE_NON_LOCAL_MEANS_INL_H
#endif

#include "gathering/scene_math-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Part of two pixels in the sum of two patches.
 * \tparam varies whether each pixel has a variance of its own; else, sums of squares
 * are whole numbers, which the slope of patchWeight() divides by the variance
 * \param[in] square squared difference of their colours, levels^2, a whole number
 * \param[in] variance_p,variance_q of their noise, levels^2
 */
template <bool varies, typename Number>
PCL_GPU_ELEMENT Number
noiseUnits(Number square, Number variance_p, Number variance_q)
{
  if constexpr (varies)
    return square / (variance_p + variance_q);
  else
    return square;
}

/** \brief The weight of a pixel whose patch differs by a sum of noiseUnits().
 * \param[in] slope,offset as NonLocalMeansTask has them
 */
template <typename Number>
PCL_GPU_ELEMENT Number
patchWeight(Number sum, Number slope, Number offset)
{
  // Weights do not fall so low that products of them are denormal, which is slow on
  // hosts.
  const Number exponent = minimum(fusedMulAdd(slope, sum, offset), Number(0.0f));
  return powerOfTwo(maximum(exponent, Number(-100.0f)));
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

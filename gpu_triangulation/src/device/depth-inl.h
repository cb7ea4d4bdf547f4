// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_DEPTH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_DEPTH_INL_H
#undef PCL_GPU_TRIANGULATION_DEPTH_INL_H
#else
#define PCL_GPU_TRIANGULATION_DEPTH_INL_H
#endif

#include <pcl/gpu/utils/internal/device/element_math.hpp>

#ifndef __CUDACC__
#include <pcl/gpu/utils/internal/device/lanes-inl.h>
#endif

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief What the filter reads where there is no measurement.
 *
 * So far off that the range weight is the least number there is, if not 0, and vanishes
 * in the sums even times this: missing neighbours drop out without a test.
 */
constexpr float missing_depth = 1e18f;

/** \brief Depth in metres, or missing_depth if the value is no measurement. */
template <typename Float>
PCL_GPU_ELEMENT Float
measuredDepth(Float value, Float scale)
{
  const Float depth = value * scale;
  // Also false for NaN and infinity.
  const auto measured = (depth > Float(0.0f)) & (depth < Float(missing_depth));
  return select(measured, depth, Float(missing_depth));
}

/** \brief Running sums of the bilateral filter at one pixel. */
template <typename Float>
struct BilateralSum {
  Float weight;     ///< K_p
  Float difference; ///< of V_q - V_p, weighted; times rangeScale()
};

/** \brief Factor that turns a depth difference into the root of the range exponent.
 * \param[in] depth of the centre, metres
 */
template <typename Float>
PCL_GPU_ELEMENT Float
rangeScale(Float depth, Float sigma_r, Float sigma_r_growth)
{
  constexpr float root_half_log2e = 0.849321800f;
  constexpr float least_sigma =
      1e-9f; // keeps missing_depth finite; less than depths differ
  const Float sigma = mulAdd(sigma_r_growth * depth, depth, sigma_r);
  return Float(root_half_log2e) / maximum(sigma, Float(least_sigma));
}

/** \brief Adds neighbour q of pixel p: one term of eq. (3).
 *
 * Summing V_q - V_p instead of V_q loses no digits to the size of the depth.
 * \param[in] difference V_q - V_p times rangeScale()
 * \param[in] domain_exponent log2 of f(|p - q|)
 */
template <typename Float>
PCL_GPU_ELEMENT void
addNeighbor(BilateralSum<Float>& sum, Float difference, Float domain_exponent)
{
  const Float weight =
      exp2OfNegative(negativeMulAdd(difference, difference, domain_exponent));
  sum.weight = sum.weight + weight;
  sum.difference = mulAdd(weight, difference, sum.difference);
}

/** \brief The filtered depth, NaN if the centre has no measurement. */
template <typename Float>
PCL_GPU_ELEMENT Float
filteredDepth(Float center, const BilateralSum<Float>& sum, Float range_scale)
{
  const Float filtered = center + sum.difference / (sum.weight * range_scale);
  return select(center < Float(missing_depth), filtered, Float(NAN));
}

/** \brief The depth as it is, NaN if there is no measurement. */
template <typename Float>
PCL_GPU_ELEMENT Float
unfilteredDepth(Float depth)
{
  return select(depth < Float(missing_depth), depth, Float(NAN));
}

/** \brief Eq. (2): the coordinate of column or row \a pixel at depth \a z. */
template <typename Float>
PCL_GPU_ELEMENT Float
projectCoordinate(Float pixel, Float z, Float center, Float inverse_focal_length)
{
  return (pixel - center) * inverse_focal_length * z;
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

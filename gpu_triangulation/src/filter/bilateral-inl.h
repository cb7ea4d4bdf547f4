// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_BILATERAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_BILATERAL_INL_H
#undef PCL_GPU_TRIANGULATION_BILATERAL_INL_H
#else
#define PCL_GPU_TRIANGULATION_BILATERAL_INL_H
#endif

#include "filter/filter.h"

#include <pcl/gpu/utils/internal/device/lanes-inl.h>
#include <pcl/gpu/utils/internal/device/missing_depth-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Depth in metres, or missing_depth if the value is no measurement by the rule
 * of isMeasuredDepth().
 *
 * The filter reads missing_depth where there is no measurement: it is so far off that
 * the range weight is the least number there is, if not 0, and vanishes in the sums
 * even times this. Missing neighbours drop out without a test.
 */
template <typename Float>
PCL_GPU_ELEMENT Float
measuredDepth(Float value, Float scale)
{
  const Float depth = value * scale;
  return select(isMeasuredDepth(depth), depth, Float(missing_depth));
}

/** \brief log2 of the domain kernel f by distance in columns and rows: one quadrant. */
template <int Radius>
struct DomainKernel {
  float exponent[Radius + 1][Radius + 1];

  /** \param[in] sigma_s standard deviation of f, pixels */
  explicit DomainKernel(float sigma_s)
  {
    constexpr float log2e = 1.44269504f;
    const float scale = -0.5f * log2e / (sigma_s * sigma_s);
    for (int dy = 0; dy <= Radius; ++dy)
      for (int dx = 0; dx <= Radius; ++dx)
        exponent[dy][dx] = static_cast<float>(dx * dx + dy * dy) * scale;
  }

  PCL_GPU_ELEMENT float
  at(int dx, int dy) const
  {
    return exponent[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx];
  }
};

/** \brief Running sums of the bilateral filter at one pixel. */
template <typename Float>
struct BilateralSum {
  Float weight;     ///< K_p
  Float difference; ///< of V_q - V_p, weighted; times rangeScale()
};

/** \brief Returns whether the range kernel g depends on the depth of the window's
 * centre. */
inline bool
rangeKernelVaries(const DepthBilateralFilterParameters& filter)
{
  return filter.sigma_r_growth != 0.0f;
}

/** \brief Standard deviation of the range kernel g, metres.
 * \param[in] depth of the window's centre, metres; of effect if rangeKernelVaries()
 */
template <typename Float>
PCL_GPU_ELEMENT Float
rangeSigma(Float depth, const DepthBilateralFilterParameters& filter)
{
  return mulAdd(Float(filter.sigma_r_growth) * depth, depth, Float(filter.sigma_r));
}

/** \brief Factor that turns a depth difference into the root of the range exponent.
 * \param[in] depth of the window's centre, metres
 */
template <typename Float>
PCL_GPU_ELEMENT Float
rangeScale(Float depth, const DepthBilateralFilterParameters& filter)
{
  constexpr float root_half_log2e = 0.849321800f;
  constexpr float least_sigma =
      1e-9f; // keeps missing_depth finite; less than depths differ
  const Float sigma = rangeSigma(depth, filter);
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

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

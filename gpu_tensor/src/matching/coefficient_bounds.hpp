// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/overlap_sums.hpp"

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>

// Tensors with areas of 7 bits. Together with the error of each they give bounds of a
// coefficient of correlation.

namespace pcl::device {

/** \brief Voxels of the largest grid that is coarsened: sums over more of them may have
 * larger numerical errors than the bounds allow for. */
constexpr int max_coarse_voxels = 1024;

/** \brief Scales and rounds a tensor's areas to whole numbers. */
struct CoarseScale {
  float low;
  float scale; ///< 0 if whole numbers are not exact enough
  float most;  ///< the largest number; 0 is the least

  /** \param[in] smallest, largest of the tensor's areas */
  PCL_GPU_HOST_DEVICE
  CoarseScale(float smallest, float largest, float largest_number)
  : low(smallest)
  , most(largest_number)
  {
    // Areas that vary less make numerical errors of coefficients larger.
    constexpr float least_range = 0.05f;
    const bool is_useful =
        smallest > 0.0f && largest - smallest >= least_range * largest;
    scale = is_useful ? most / (largest - smallest) : 0.0f;
  }

  /** \brief The number that stands for an area.
   * \param[in,out] squares sum of the squared errors of rounding
   */
  PCL_GPU_HOST_DEVICE float
  round(float area, float& squares) const
  {
    const float exact = (area - low) * scale;
    const float whole = fminf(rintf(exact), most);
    squares += (exact - whole) * (exact - whole);
    return whole;
  }

  /** \brief Length of the vector of rounding errors; much longer than that of the
   * numbers if they are not exact enough. */
  PCL_GPU_HOST_DEVICE float
  error(float squares) const
  {
    constexpr float useless = 1e9f;
    // A margin for the rounding of floats.
    return scale > 0.0f ? 1.001f * sqrtf(squares) + 0.01f : useless;
  }
};

/** \brief Bounds of a coefficient. */
struct CoefficientBounds {
  float lower, upper; ///< 0 and 1 if nothing is known
};

/** \brief To within a few units in the last place, as the next one. */
PCL_GPU_HOST_DEVICE float
quickInverseSquareRoot(float a)
{
#ifdef __CUDA_ARCH__
  return rsqrtf(a);
#else
  return 1.0f / sqrtf(a);
#endif
}

/** \brief Of a number above 0. */
PCL_GPU_HOST_DEVICE float
quickSquareRoot(float a)
{
#ifdef __CUDA_ARCH__
  return a * rsqrtf(a);
#else
  return sqrtf(a);
#endif
}

/** \brief Bounds of the coefficient that correlation() finds.
 *
 * The coefficient is the cosine of the angle between the vectors of both tensors' areas
 * less their means. The sine of the angle between a vector and its coarse one is at
 * most the length of their difference over that of the coarse one. Two such angles lie
 * between the wanted angle and that of the coarse tensors.
 * \param[in] error, other_error of both tensors, see CoarseScale
 */
PCL_GPU_HOST_DEVICE CoefficientBounds
boundsOfCoefficient(const CoarseSums& sums, float error, float other_error)
{
  constexpr float rounding = 1e-5f; // of the coefficient and of this computation
  constexpr float rounding_of_square = 4e-6f;
  constexpr float max_sine = 0.5f;
  const long long n = sums.count;
  const float p =
      static_cast<float>(n * sums.pp - static_cast<long long>(sums.p) * sums.p);
  const float q =
      static_cast<float>(n * sums.qq - static_cast<long long>(sums.q) * sums.q);
  const float pq =
      static_cast<float>(n * sums.pq - static_cast<long long>(sums.p) * sums.q);
  const float inverse_p = quickInverseSquareRoot(p),
              inverse_q = quickInverseSquareRoot(q);
  const float count = static_cast<float>(sums.count);
  const float sine =
      quickSquareRoot(count) * (error * inverse_p + other_error * inverse_q);
  // Areas that vary very little leave only the rounding of sums, or nothing.
  const float least = count * count;
  if (!(p >= least && q >= least && sine <= max_sine))
    return {0.0f, 1.0f};
  const float cosine = fminf(1.0f, fmaxf(-1.0f, pq * inverse_p * inverse_q));
  const float square = 1.0f - cosine * cosine + rounding_of_square;
  const float change = sine * quickSquareRoot(square) + rounding;
  return {cosine * (1.0f - sine * sine) - change, fmaxf(cosine, 0.0f) + change};
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_COLLABORATIVE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_COLLABORATIVE_INL_H
#undef PCL_GPU_SCENESPACE_COLLABORATIVE_INL_H
#else
#define PCL_GPU_SCENESPACE_COLLABORATIVE_INL_H
#endif

#include "images/collaborative_filter.h"

#include <pcl/gpu/utils/internal/device/element_math.hpp>
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A number of a column's transform: the sum of its numbers times factors, in
 * this order.
 * \param[in] factors the first of them, and the distance from one to the next
 * \param[in] column returns the numbers, from the top
 */
template <typename Number, typename Column>
PCL_GPU_ELEMENT Number
transformed(const float* factors, int distance, const Column& column)
{
  Number sum = Number(factors[0]) * column(0);
  for (int i = 1; i < block_side; ++i)
    sum = fusedMulAdd(Number(factors[i * distance]), column(i), sum);
  return sum;
}

/** \brief Squares that coefficients have to exceed. */
struct CoefficientLimits {
  float sum, difference;
};

/** \brief The limits of a plane of a group, whose noise is independent.
 * \param[in] size of the group
 * \param[in] variances sum of the blocks' mean variances, of red, green and blue
 * \param[in] own that of the own block
 */
PCL_GPU_ELEMENT CoefficientLimits
limitsOf(const BlockGroupTask& task, int plane, int size, float variances, float own)
{
  const float factor = task.threshold_square * varianceFactor(plane);
  return {factor * variances, factor * own * static_cast<float>(size * (size - 1))};
}

/** \brief Whether a coefficient is more than noise. */
template <typename Number>
PCL_GPU_ELEMENT auto
isKept(Number coefficient, float limit)
{
  return coefficient * coefficient > Number(limit);
}

/** \brief A coefficient of a block.
 * \param[in] sum that of the sum of the group's blocks
 * \param[in] difference that of the difference of the block, times the group's size,
 * from the sum
 */
template <typename Number>
PCL_GPU_ELEMENT Number
keptCoefficient(Number sum,
                Number difference,
                const CoefficientLimits& limits,
                float inverse_size)
{
  const Number zero(0.0f);
  return (select(isKept(sum, limits.sum), sum, zero) +
          select(isKept(difference, limits.difference), difference, zero)) *
         Number(inverse_size);
}

/** \brief The weight of a block, by the numbers of coefficients that were kept. */
PCL_GPU_ELEMENT float
weightOfBlock(int kept_sums, int kept_differences, int size)
{
  return 1.0f / static_cast<float>(1 + kept_sums + size * kept_differences);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif

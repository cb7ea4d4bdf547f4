// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>

namespace benchmarks {

/** \brief Listing 1.2 of Friborg, Hauberg and Erleben 2010, the paper's CPU
 * implementation, as it is printed there: for each sample, the sum over the points of
 * the distance to the nearest capsule, in one thread. O(J * I * K).
 *
 * The paper does not print measurement(); it is appendix A, step by step, with the
 * viewpoint at the origin, and the cylinder ends with the axis.
 * \param[out] M one sum a sample
 * \param[in] J number of samples
 * \param[in] X x, y, z of every point
 * \param[in] I number of points
 * \param[in] C seven floats a capsule: a, radius, b; those of the first sample, then
 * those of the second, and so on
 * \param[in] K number of capsules of each sample
 * \param[in] MAX_DISTANCE tau
 */
void
paperListing(float* M,
             std::size_t J,
             const float* X,
             std::size_t I,
             const float* C,
             std::size_t K,
             float MAX_DISTANCE);

} // namespace benchmarks

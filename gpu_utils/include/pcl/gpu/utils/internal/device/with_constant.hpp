// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <type_traits>

namespace pcl::device {

/** \brief Calls work with a number as an integral constant, to choose among kernels
 * that are compiled for some numbers.
 * \tparam First the first number that there is a kernel for
 * \tparam Last the last one
 * \tparam Other the constant for all other numbers
 * \param[in] number the number
 * \param[in] work takes a std::integral_constant; results are of one type
 * \return its result
 */
template <int First, int Last, int Other = Last, typename Work>
auto
withConstant(int number, const Work& work)
{
  if constexpr (First > Last)
    return work(std::integral_constant<int, Other>());
  else if (number == First)
    return work(std::integral_constant<int, First>());
  else
    return withConstant<First + 1, Last, Other>(number, work);
}

} // namespace pcl::device

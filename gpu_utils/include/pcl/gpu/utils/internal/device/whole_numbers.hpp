// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

namespace pcl::device {

/** \brief Returns the number of parts that cover a total of 0 or more. */
PCL_GPU_HOST_DEVICE int
divideUp(int total, int part)
{
  // The sum of both might exceed the numbers.
  return total / part + (total % part != 0 ? 1 : 0);
}

/** \brief Returns the number of the lowest bit of a word that is not 0. */
PCL_GPU_HOST_DEVICE int
lowestBit(std::uint32_t word)
{
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(word)) - 1;
#else
  return __builtin_ctz(word);
#endif
}

} // namespace pcl::device

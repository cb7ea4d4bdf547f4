// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

/** \brief Threads of the blocks of a filter's kernels. */
constexpr int threads = 256;

/** \brief Returns the number of blocks with a thread for each element. */
inline unsigned int
blocksFor(std::size_t count, int per_block = threads)
{
  return static_cast<unsigned int>((count + per_block - 1) / per_block);
}

} // namespace pcl::device

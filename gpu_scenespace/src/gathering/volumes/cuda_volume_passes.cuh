// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

/** \brief Section 6 of the paper: a thread for each output pixel, 16 x 16 to a
 * block. */
constexpr int block_side = 16;

template <typename Pass>
__global__ void
__launch_bounds__(block_side* block_side)
    passKernel(const __grid_constant__ Pass pass, int columns, int rows)
{
  const int column = blockIdx.x * block_side + threadIdx.x;
  const int row = blockIdx.y * block_side + threadIdx.y;
  if (column < columns && row < rows)
    pass(column, row);
}

/** \brief Launches a pass for every pixel. */
struct ForEachPixel {
  cudaStream_t stream;

  template <typename Pass>
  void
  operator()(const char* name, int columns, int rows, const Pass& pass) const
  {
    const dim3 block(block_side, block_side);
    const dim3 grid(divideUp(columns, block_side), divideUp(rows, block_side));
    passKernel<<<grid, block, 0, stream>>>(pass, columns, rows);
    checkLaunch(name);
  }
};

} // namespace pcl::device

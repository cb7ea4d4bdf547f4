// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsules/capsule_cast.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

namespace {

constexpr int block_columns = 16;
constexpr int block_rows = 8;
constexpr int threads = block_columns * block_rows;

/** \brief Capsules that are in shared memory at a time. */
constexpr int tile = threads;

__global__ void
__launch_bounds__(threads) castKernel(const __grid_constant__ CapsuleCastTask task)
{
  __shared__ CastCapsule capsules[tile];
  waitForPreviousKernel();
  const int column = blockIdx.x * block_columns + threadIdx.x;
  const int row = blockIdx.y * block_rows + threadIdx.y;
  const int thread = threadIdx.y * block_columns + threadIdx.x;
  const PixelRay ray = pixelRay(task.camera, column, row);
  NearestCapsule nearest;
  for (int first = 0; first < task.count; first += tile) {
    const int size = min(tile, task.count - first);
    __syncthreads();
    if (thread < size)
      capsules[thread] = castCapsule(task.capsules[first + thread], task.pose);
    __syncthreads();
    for (int i = 0; i < size; ++i)
      castAt(capsules[i], first + i, ray, nearest);
  }
  if (column < task.camera.width && row < task.camera.height)
    writePixel(task, column, row, ray, nearest);
}

} // namespace

void
cuda::castCapsules(const CapsuleCastTask& task, cudaStream_t stream)
{
  const dim3 grid(divideUp(task.camera.width, block_columns),
                  divideUp(task.camera.height, block_rows));
  const dim3 block(block_columns, block_rows);
  launchOverlapping("castCapsules", grid, block, stream)(&castKernel, task);
}

} // namespace pcl::device

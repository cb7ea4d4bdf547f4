// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/volume_passes.hpp"
#include "gathering/volumes/volumes.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

namespace {

/** \brief Section 6 of the paper: a thread for each output pixel, 16 x 16 to a block. */
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

/** \brief Bounds the depths of a frame for each block. */
__global__ void
boundFramesKernel(const __grid_constant__ VolumeTask task)
{
  // Depths are not negative: they are in the order of their bits.
  __shared__ int nearest, farthest;
  if (threadIdx.x == 0) {
    nearest = __float_as_int(no_depths.nearest);
    farthest = __float_as_int(no_depths.farthest);
  }
  __syncthreads();
  const FrameImages& images = task.frames[blockIdx.x].frame.images;
  DepthRange depths = no_depths;
  for (int i = threadIdx.x; i < images.groups() * group_blocks; i += blockDim.x) {
    depths.nearest = fminf(depths.nearest, images.block_depths[i].nearest);
    depths.farthest = fmaxf(depths.farthest, images.block_depths[i].farthest);
  }
  const int warp_nearest = -maxOverWarp(-__float_as_int(depths.nearest));
  const int warp_farthest = maxOverWarp(__float_as_int(depths.farthest));
  if (threadIdx.x % warp_size == 0) {
    atomicMin(&nearest, warp_nearest);
    atomicMax(&farthest, warp_farthest);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    task.extents[blockIdx.x] = frameExtent(
        task.frames[blockIdx.x], {__int_as_float(nearest), __int_as_float(farthest)});
}

void
boundFrames(const VolumeTask& task, cudaStream_t stream)
{
  constexpr int threads = 256;
  boundFramesKernel<<<task.frame_count, threads, 0, stream>>>(task);
  checkLaunch("boundFrames");
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

} // namespace

namespace cuda {

void
testAllPixels(const VolumeTask& task, cudaStream_t stream)
{
  passOverFrames<TestAllPixels>("testAllPixels", task, ForEachPixel{stream});
}

void
testHulls(const VolumeTask& task, cudaStream_t stream)
{
  boundFrames(task, stream);
  passOverFrames<TestHulls>("testHulls", task, ForEachPixel{stream});
}

void
testSegments(const VolumeTask& task, cudaStream_t stream)
{
  boundFrames(task, stream);
  passSegments(task, ForEachPixel{stream});
}

} // namespace cuda

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/cuda_volume_passes.cuh"
#include "gathering/volumes/volume_passes.hpp"
#include "gathering/volumes/volumes.h"

namespace pcl::device {

namespace {

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

} // namespace

namespace cuda {

void
boundFrames(const VolumeTask& task, cudaStream_t stream)
{
  constexpr int threads = 256;
  boundFramesKernel<<<task.frame_count, threads, 0, stream>>>(task);
  checkLaunch("boundFrames");
}

void
testSegments(const VolumeTask& task, cudaStream_t stream)
{
  boundFrames(task, stream);
  passSegments(task, ForEachPixel{stream});
}

} // namespace cuda

} // namespace pcl::device

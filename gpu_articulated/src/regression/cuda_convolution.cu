// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "regression/convolution.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::MergeMaps);

namespace pcl::device {

namespace {

/** \brief Neighbouring cells that a thread computes a channel of. */
constexpr int cells = 5;
/** \brief Warps of a block, which add up different inputs of the same outputs. */
constexpr int warps = 16;
/** \brief Inputs that are read at a time. */
constexpr int group = 4;

/** \brief Adds up a warp's share of the inputs: every sixteenth group of them. */
__device__ void
addInputs(
    const ConvolutionTask& task, int row, int column, int channel, float (&sums)[cells])
{
  const Convolution& layer = task.layer;
  const int groups = layer.inputs / group; // of a cell
  const int reach = layer.width / 2, stride = layer.stride;
#pragma unroll 2
  for (int i = threadIdx.y; i < layer.width * layer.width * groups; i += warps) {
    const int place = i / groups, first = group * (i - place * groups);
    const int y = place / layer.width, x = place - y * layer.width;
    const float* const from =
        task.input.at(stride * row + y - reach, stride * column + x - reach) + first;
    const float* const to =
        layer.weights +
        static_cast<std::size_t>(place * layer.inputs + first) * layer.outputs +
        channel;
    float weights[group];
    for (int k = 0; k < group; ++k)
      weights[k] = __ldg(to + k * layer.outputs);
#pragma unroll
    for (int cell = 0; cell < cells; ++cell) {
      const auto numbers = *reinterpret_cast<const float4*>(
          from + static_cast<std::ptrdiff_t>(cell) * stride * layer.inputs);
      sums[cell] = fmaf(numbers.x, weights[0], sums[cell]);
      sums[cell] = fmaf(numbers.y, weights[1], sums[cell]);
      sums[cell] = fmaf(numbers.z, weights[2], sums[cell]);
      sums[cell] = fmaf(numbers.w, weights[3], sums[cell]);
    }
  }
}

/** \brief A block computes 32 channels of five neighbouring cells. */
__global__ void
__launch_bounds__(warp_size* warps)
    convolveKernel(const __grid_constant__ ConvolutionTask task)
{
  __shared__ float parts[warps][cells][warp_size];
  waitForPreviousKernel();
  const int columns = task.output.size / cells;
  const int row = blockIdx.x / columns, column = cells * (blockIdx.x - row * columns);
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int channel = blockIdx.y * warp_size + lane;
  const bool is_channel = channel < task.layer.outputs;
  float sums[cells] = {};
  if (is_channel)
    addInputs(task, row, column, channel, sums);
  for (int cell = 0; cell < cells; ++cell)
    parts[warp][cell][lane] = sums[cell];
  __syncthreads();
  if (warp >= cells || !is_channel)
    return;
  // The warps take a cell each.
  float sum = task.layer.biases[channel];
  for (const auto& part : parts)
    sum += part[warp][lane];
  if (task.added.numbers)
    sum += task.added.at(row, column + warp)[channel];
  task.output.at(row, column + warp)[channel] =
      task.is_rectified ? fmaxf(sum, 0.0f) : sum;
}

} // namespace

void
cuda::convolve(const ConvolutionTask& task, cudaStream_t stream)
{
  const int size = task.output.size;
  const dim3 grid(
      static_cast<unsigned int>(size * size / cells),
      static_cast<unsigned int>((task.layer.outputs + warp_size - 1) / warp_size));
  launchOverlapping("convolve", grid, dim3(warp_size, warps), stream)(&convolveKernel,
                                                                      task);
}

} // namespace pcl::device

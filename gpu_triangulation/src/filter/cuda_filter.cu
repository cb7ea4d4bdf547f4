// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/bilateral-inl.h"
#include "filter/filter.h"
#include "projection/projection.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/with_constant.hpp>

namespace pcl::device::cuda {

namespace {

constexpr int max_radius = DepthBilateralFilterParameters::max_window_radius;
constexpr int block_columns = 32;
constexpr int block_rows = 8;
/** \brief Pixels that a thread filters, side by side: they share their input. */
constexpr int pixels_per_thread = 2;
constexpr int tile_pixels = pixels_per_thread * block_columns;

__host__ __device__ constexpr int
tileStride(int radius)
{
  return tile_pixels + 2 * radius;
}

template <typename Raw>
__device__ float
readDepth(const DepthInput& input, int x, int y)
{
  if (x < 0 || x >= input.columns || y < 0 || y >= input.rows)
    return missing_depth;
  return measuredDepth(static_cast<float>(input.row<Raw>(y)[x]), input.scale);
}

__device__ void
writePixel(const FilterTask& task, int x, int y, float depth)
{
  PtrStep<float> filtered = task.filtered;
  PtrStep<Float4> cloud = task.cloud;
  if (filtered.data)
    filtered.ptr(y)[x] = depth;
  if (cloud.data)
    cloud.ptr(y)[x] = projectPoint(x, y, depth, task.camera);
}

/** \brief Filters a tile from shared memory.
 * \tparam Radius of the window; max_radius stands for any radius, known at run time
 * \tparam Varies rangeKernelVaries(); else the whole tile is scaled at once
 */
template <typename Raw, int Radius, bool Varies>
__global__ void
__launch_bounds__(block_columns* block_rows)
    filterKernel(FilterTask task, DomainKernel<Radius> kernel)
{
  extern __shared__ float tile[];
  const int radius = Radius < max_radius ? Radius : task.filter.window_radius;
  const int stride = tileStride(radius);
  const int x0 = blockIdx.x * tile_pixels;
  const int y0 = blockIdx.y * block_rows;
  const float tile_scale = Varies ? 1.0f : rangeScale(0.0f, task.filter);
  waitForPreviousKernel();
  for (int row = threadIdx.y; row < block_rows + 2 * radius; row += block_rows)
    for (int column = threadIdx.x; column < stride; column += block_columns)
      tile[row * stride + column] =
          tile_scale *
          readDepth<Raw>(task.input, x0 + column - radius, y0 + row - radius);
  __syncthreads();

  const int x = x0 + pixels_per_thread * threadIdx.x;
  const int y = y0 + threadIdx.y;
  if (x >= task.input.columns || y >= task.input.rows)
    return;
  const float* window = tile + threadIdx.y * stride + pixels_per_thread * threadIdx.x;
  float center[pixels_per_thread];
  float depth[pixels_per_thread];
  float range_scale[pixels_per_thread];
  BilateralSum<float> sum[pixels_per_thread];
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    center[i] = window[radius * stride + radius + i];
    depth[i] = readDepth<Raw>(task.input, x + i, y);
    range_scale[i] = Varies ? rangeScale(depth[i], task.filter) : tile_scale;
    sum[i] = {0.0f, 0.0f};
  }
  const auto addTap = [&](int i, int dx, int dy, float neighbor) {
    const float difference = neighbor - center[i];
    addNeighbor(
        sum[i], Varies ? difference * range_scale[i] : difference, kernel.at(dx, dy));
  };
  const auto addRow = [&](int dy) {
    const float2* row =
        reinterpret_cast<const float2*>(window + (radius + dy) * stride);
    const auto addPair = [&](int column) {
      const float2 pair = row[column / 2];
#pragma unroll
      for (int i = 0; i < pixels_per_thread; ++i) {
        const int dx = column - radius - i;
        if (dx >= -radius)
          addTap(i, dx, dy, pair.x);
        if (dx + 1 <= radius)
          addTap(i, dx + 1, dy, pair.y);
      }
    };
#pragma unroll
    for (int column = 0; column <= 2 * radius; column += 2)
      addPair(column);
  };
#pragma unroll
  for (int dy = -radius; dy <= radius; ++dy)
    addRow(dy);
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i)
    if (x + i < task.input.columns)
      writePixel(task, x + i, y, filteredDepth(depth[i], sum[i], range_scale[i]));
}

template <typename Raw>
__global__ void
projectKernel(FilterTask task)
{
  waitForPreviousKernel();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= task.input.columns || y >= task.input.rows)
    return;
  writePixel(task, x, y, unfilteredDepth(readDepth<Raw>(task.input, x, y)));
}

void
launchProjection(const FilterTask& task, cudaStream_t stream)
{
  const dim3 block(32, 8);
  const dim3 grid(divideUp(task.input.columns, block.x),
                  divideUp(task.input.rows, block.y));
  launchOverlapping("projectKernel", grid, block, stream)(
      task.input.raw ? projectKernel<std::uint16_t> : projectKernel<float>, task);
}

template <int Radius>
void
launchFilter(const FilterTask& task, cudaStream_t stream)
{
  const int radius = task.filter.window_radius;
  const dim3 grid(divideUp(task.input.columns, tile_pixels),
                  divideUp(task.input.rows, block_rows));
  const std::size_t tile_bytes =
      sizeof(float) * tileStride(radius) * (block_rows + 2 * radius);
  const bool varies = rangeKernelVaries(task.filter);
  const auto kernel = task.input.raw
                          ? (varies ? filterKernel<std::uint16_t, Radius, true>
                                    : filterKernel<std::uint16_t, Radius, false>)
                          : (varies ? filterKernel<float, Radius, true>
                                    : filterKernel<float, Radius, false>);
  launchOverlapping(
      "filterKernel", grid, dim3(block_columns, block_rows), stream, tile_bytes)(
      kernel, task, DomainKernel<Radius>(task.filter.sigma_s));
}

} // namespace

void
filterAndProject(const FilterTask& task, cudaStream_t stream)
{
  if (!task.is_filtered)
    return launchProjection(task, stream);
  // The window sizes in common use get a kernel of their own.
  withConstant<2, 6, max_radius>(task.filter.window_radius, [&](auto radius) {
    launchFilter<radius.value>(task, stream);
  });
}

} // namespace pcl::device::cuda

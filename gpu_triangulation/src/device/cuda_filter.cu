// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_driver.h"
#include "depth-inl.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int max_radius = 16;
constexpr int block_columns = 32;
constexpr int block_rows = 8;
/** \brief Pixels that a thread filters, side by side: they share what they read. */
constexpr int pixels_per_thread = 2;
constexpr int tile_pixels = pixels_per_thread * block_columns;

__host__ __device__ constexpr int
tileStride(int radius)
{
  return tile_pixels + 2 * radius;
}

/** \brief log2 of the domain kernel by distance in columns and rows: one quadrant. */
template <int Radius>
struct DomainKernel {
  float exponent[Radius + 1][Radius + 1];
};

/** \brief What the kernel writes; null pointers are left out. */
struct FilterOutput {
  PtrStep<float> filtered;
  PtrStep<Float4> cloud;
  Intrinsics camera;
};

template <typename Raw>
__device__ float
readDepth(const DepthInput& input, int x, int y)
{
  if (x < 0 || x >= input.columns || y < 0 || y >= input.rows)
    return missing_depth;
  const char* row = static_cast<const char*>(input.data) + y * input.step;
  return measuredDepth(static_cast<float>(reinterpret_cast<const Raw*>(row)[x]),
                       input.scale);
}

__device__ void
writePixel(FilterOutput output, int x, int y, float depth)
{
  if (output.filtered.data)
    output.filtered.ptr(y)[x] = depth;
  if (output.cloud.data) {
    const Intrinsics& camera = output.camera;
    output.cloud.ptr(y)[x] = {
        projectCoordinate(static_cast<float>(x), depth, camera.cx, camera.inverse_fx),
        projectCoordinate(static_cast<float>(y), depth, camera.cy, camera.inverse_fy),
        depth,
        1.0f};
  }
}

/** \brief Filters a tile from shared memory.
 * \tparam Radius of the window; max_radius stands for any radius, known at run time
 * \tparam Growing whether sigma_r grows with depth; else the tile is scaled by it
 */
template <typename Raw, int Radius, bool Growing>
__global__ void
__launch_bounds__(block_columns* block_rows) filterKernel(DepthInput input,
                                                          FilterParameters parameters,
                                                          DomainKernel<Radius> kernel,
                                                          FilterOutput output)
{
  extern __shared__ float tile[];
  const int radius = Radius < max_radius ? Radius : parameters.radius;
  const int stride = tileStride(radius);
  const int x0 = blockIdx.x * tile_pixels;
  const int y0 = blockIdx.y * block_rows;
  const float tile_scale = Growing ? 1.0f : rangeScale(0.0f, parameters.sigma_r, 0.0f);
  waitForPreviousKernel();
  for (int row = threadIdx.y; row < block_rows + 2 * radius; row += block_rows)
    for (int column = threadIdx.x; column < stride; column += block_columns)
      tile[row * stride + column] =
          tile_scale * readDepth<Raw>(input, x0 + column - radius, y0 + row - radius);
  __syncthreads();

  const int x = x0 + pixels_per_thread * threadIdx.x;
  const int y = y0 + threadIdx.y;
  if (x >= input.columns || y >= input.rows)
    return;
  const float* window = tile + threadIdx.y * stride + pixels_per_thread * threadIdx.x;
  float center[pixels_per_thread];
  float depth[pixels_per_thread];
  float range_scale[pixels_per_thread];
  BilateralSum<float> sum[pixels_per_thread];
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    center[i] = window[radius * stride + radius + i];
    depth[i] = readDepth<Raw>(input, x + i, y);
    range_scale[i] =
        Growing ? rangeScale(depth[i], parameters.sigma_r, parameters.sigma_r_growth)
                : tile_scale;
    sum[i] = {0.0f, 0.0f};
  }
  const auto addTap = [&](int i, int dx, int dy, float neighbor) {
    const float difference = neighbor - center[i];
    addNeighbor(sum[i],
                Growing ? difference * range_scale[i] : difference,
                kernel.exponent[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx]);
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
    if (Radius < max_radius) {
#pragma unroll
      for (int column = 0; column <= 2 * Radius; column += 2)
        addPair(column);
    }
    else {
      for (int column = 0; column <= 2 * radius; column += 2)
        addPair(column);
    }
  };
  if (Radius < max_radius) {
#pragma unroll
    for (int dy = -Radius; dy <= Radius; ++dy)
      addRow(dy);
  }
  else {
    for (int dy = -radius; dy <= radius; ++dy)
      addRow(dy);
  }
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i)
    if (x + i < input.columns)
      writePixel(output, x + i, y, filteredDepth(depth[i], sum[i], range_scale[i]));
}

template <typename Raw>
__global__ void
projectKernel(DepthInput input, FilterOutput output)
{
  waitForPreviousKernel();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= input.columns || y >= input.rows)
    return;
  writePixel(output, x, y, unfilteredDepth(readDepth<Raw>(input, x, y)));
}

template <typename Raw, int Radius>
void
launchFilter(const DepthInput& input,
             const FilterParameters& parameters,
             const FilterOutput& output,
             cudaStream_t stream)
{
  constexpr float log2e = 1.44269504f;
  const float scale = -0.5f * log2e / (parameters.sigma_s * parameters.sigma_s);
  DomainKernel<Radius> kernel;
  for (int dy = 0; dy <= Radius; ++dy)
    for (int dx = 0; dx <= Radius; ++dx)
      kernel.exponent[dy][dx] = static_cast<float>(dx * dx + dy * dy) * scale;
  const dim3 block(block_columns, block_rows);
  const dim3 grid(divideUp(input.columns, tile_pixels),
                  divideUp(input.rows, block_rows));
  const std::size_t bytes = sizeof(float) * tileStride(parameters.radius) *
                            (block_rows + 2 * parameters.radius);
  const auto filter = parameters.sigma_r_growth != 0.0f
                          ? filterKernel<Raw, Radius, true>
                          : filterKernel<Raw, Radius, false>;
  launchOverlapping("filterKernel",
                    filter,
                    grid,
                    block,
                    bytes,
                    stream,
                    input,
                    parameters,
                    kernel,
                    output);
}

template <typename Raw>
void
launch(const DepthInput& input,
       const FilterParameters* filter,
       const FilterOutput& output,
       cudaStream_t stream)
{
  if (!filter) {
    const dim3 block(32, 8);
    const dim3 grid(divideUp(input.columns, block.x), divideUp(input.rows, block.y));
    launchOverlapping(
        "projectKernel", projectKernel<Raw>, grid, block, 0, stream, input, output);
    return;
  }
  // The window sizes in common use get a kernel of their own.
  switch (filter->radius) {
  case 2:
    return launchFilter<Raw, 2>(input, *filter, output, stream);
  case 3:
    return launchFilter<Raw, 3>(input, *filter, output, stream);
  case 4:
    return launchFilter<Raw, 4>(input, *filter, output, stream);
  case 5:
    return launchFilter<Raw, 5>(input, *filter, output, stream);
  case 6:
    return launchFilter<Raw, 6>(input, *filter, output, stream);
  default:
    return launchFilter<Raw, max_radius>(input, *filter, output, stream);
  }
}

} // namespace

void
filterAndProject(const DepthInput& input,
                 const FilterParameters* filter,
                 PtrStep<float> filtered,
                 const Intrinsics* camera,
                 PtrStep<Float4> cloud,
                 cudaStream_t stream)
{
  const FilterOutput output{filtered, cloud, camera ? *camera : Intrinsics{}};
  if (input.raw)
    launch<std::uint16_t>(input, filter, output, stream);
  else
    launch<float>(input, filter, output, stream);
}

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_block.cuh"
#include "cuda_driver.h"
#include "depth-inl.h"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int max_radius = 16;
constexpr int block_columns = 32;
constexpr int block_rows = 8;

__host__ __device__ constexpr int
tileStride(int radius)
{
  return block_columns + 2 * radius;
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
 */
template <typename Raw, int Radius>
__global__ void
__launch_bounds__(block_columns* block_rows) filterKernel(DepthInput input,
                                                          FilterParameters parameters,
                                                          DomainKernel<Radius> kernel,
                                                          FilterOutput output)
{
  extern __shared__ float tile[];
  const int radius = Radius < max_radius ? Radius : parameters.radius;
  const int stride = tileStride(radius);
  const int x0 = blockIdx.x * block_columns;
  const int y0 = blockIdx.y * block_rows;
  for (int row = threadIdx.y; row < block_rows + 2 * radius; row += block_rows)
    for (int column = threadIdx.x; column < stride; column += block_columns)
      tile[row * stride + column] =
          readDepth<Raw>(input, x0 + column - radius, y0 + row - radius);
  __syncthreads();

  const int x = x0 + threadIdx.x;
  const int y = y0 + threadIdx.y;
  if (x >= input.columns || y >= input.rows)
    return;
  const float* center = tile + (threadIdx.y + radius) * stride + threadIdx.x + radius;
  const float depth = *center;
  const float range_scale =
      rangeScale(depth, parameters.sigma_r, parameters.sigma_r_growth);
  BilateralSum<float> sum{0.0f, 0.0f};
  const auto add = [&](int dx, int dy) {
    addNeighbor(sum,
                depth,
                center[dy * stride + dx],
                kernel.exponent[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx],
                range_scale);
  };
  if (Radius < max_radius) {
#pragma unroll
    for (int dy = -Radius; dy <= Radius; ++dy)
#pragma unroll
      for (int dx = -Radius; dx <= Radius; ++dx)
        add(dx, dy);
  }
  else {
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        add(dx, dy);
  }
  writePixel(output, x, y, filteredDepth(depth, sum));
}

template <typename Raw>
__global__ void
projectKernel(DepthInput input, FilterOutput output)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= input.columns || y >= input.rows)
    return;
  writePixel(
      output,
      x,
      y,
      filteredDepth(readDepth<Raw>(input, x, y), BilateralSum<float>{1.0f, 0.0f}));
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
  const dim3 grid(divideUp(input.columns, block_columns),
                  divideUp(input.rows, block_rows));
  const std::size_t bytes = sizeof(float) * tileStride(parameters.radius) *
                            (block_rows + 2 * parameters.radius);
  filterKernel<Raw, Radius>
      <<<grid, block, bytes, stream>>>(input, parameters, kernel, output);
  checkLaunch("filterKernel");
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
    projectKernel<Raw><<<grid, block, 0, stream>>>(input, output);
    checkLaunch("projectKernel");
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

} // namespace cuda
} // namespace device
} // namespace pcl

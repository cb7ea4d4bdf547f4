// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_block.cuh"
#include "cuda_driver.h"
#include "plane_fit-inl.h"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int block_columns = 128;
/** \brief Output rows whose windows are summed together; see sumColumn(). */
constexpr int block_rows = 4;
constexpr int moment_count = sizeof(Moments<double>) / sizeof(double);
constexpr int max_radius = 16;

/** \brief Column sums of the block's rows: one plane a moment. */
using ColumnSums = double[moment_count][block_rows][block_columns];

__device__ bool
isThere(const Float4& p)
{
  return isFinite(p.x) && isFinite(p.y) && isFinite(p.z);
}

__device__ Float4
readPoint(const PtrStepSz<const Float4>& cloud, int x, int y)
{
  if (x < 0 || x >= cloud.cols || y < 0 || y >= cloud.rows)
    return {NAN, NAN, NAN, NAN};
  return cloud.ptr(y)[x];
}

__device__ WeightedPoint<double>
weigh(const Float4& p, const Float4& origin)
{
  if (!isThere(p))
    return {0.0, 0.0, 0.0, 0.0};
  return {1.0,
          widen(p.x) - widen(origin.x),
          widen(p.y) - widen(origin.y),
          widen(p.z) - widen(origin.z)};
}

/** \brief Any point of the block's first rows, so that coordinates become small numbers.
 *
 * All threads of the block must call, each with its own column.
 */
__device__ Float4
chooseOrigin(const PtrStepSz<const Float4>& cloud, int x, int y0, int rows)
{
  __shared__ int chosen;
  __shared__ Float4 origin;
  if (threadIdx.x == 0) {
    chosen = block_columns;
    origin = {0.0f, 0.0f, 0.0f, 0.0f};
  }
  for (int y = y0; y < y0 + rows; ++y) {
    const Float4 p = readPoint(cloud, x, y);
    if (__syncthreads_or(isThere(p))) {
      if (isThere(p))
        atomicMin(&chosen, static_cast<int>(threadIdx.x));
      __syncthreads();
      if (static_cast<int>(threadIdx.x) == chosen)
        origin = p;
      break;
    }
  }
  __syncthreads();
  return origin;
}

__device__ void
writeNormal(const PtrStepSz<const Float4>& cloud,
            const NormalParameters& parameters,
            const Moments<double>& sum,
            int x,
            int y,
            PtrStep<Float4> normals)
{
  const Float4 p = cloud.ptr(y)[x];
  const double px = p.x, py = p.y, pz = p.z;
  const PlaneFit<float> fit =
      fitPlane(sum,
               roundingNoise(isThere(p) ? 1.0 : 0.0, px, py, pz),
               parameters.viewpoint[0] - px,
               parameters.viewpoint[1] - py,
               parameters.viewpoint[2] - pz);
  normals.ptr(y)[x] = {fit.x, fit.y, fit.z, fit.curvature};
}

/** \brief Sums of the windows of two neighbouring outputs.
 * \param[in] column sums of the columns from the first window's left side on
 */
__device__ void
sumTwoWindows(const double* column, int radius, double& first, double& second)
{
  const double2* pair = reinterpret_cast<const double2*>(column);
  const double2 begin = pair[0];
  double shared = begin.y;
#pragma unroll
  for (int i = 1; i < radius; ++i)
    shared += pair[i].x + pair[i].y;
  const double2 end = pair[radius];
  shared += end.x;
  first = begin.x + shared;
  second = shared + end.y;
}

/** \brief Whole windows: sums by columns, then along rows.
 * \tparam Radius of the window; max_radius stands for any radius, known at run time
 */
template <int Radius>
__global__ void
__launch_bounds__(block_columns)
wholeWindowsKernel(PtrStepSz<const Float4> cloud,
                   NormalParameters parameters,
                   PtrStep<Float4> normals)
{
  __shared__ ColumnSums sums;
  const int radius = Radius < max_radius ? Radius : parameters.radius;
  const int outputs = block_columns - 2 * radius;
  const int x0 = blockIdx.x * outputs;
  const int y0 = blockIdx.y * block_rows;
  const int column = threadIdx.x;
  const int x = x0 - radius + column;
  const Float4 origin =
      chooseOrigin(cloud, x, y0 - radius, block_rows + 2 * radius);

  sumColumn<block_rows, double>(
      radius,
      [&](int i) { return weigh(readPoint(cloud, x, y0 - radius + i), origin); },
      [&](int i, const Moments<double>& m) {
        sums[0][i][column] = m.n;
        sums[1][i][column] = m.x;
        sums[2][i][column] = m.y;
        sums[3][i][column] = m.z;
        sums[4][i][column] = m.xx;
        sums[5][i][column] = m.xy;
        sums[6][i][column] = m.xz;
        sums[7][i][column] = m.yy;
        sums[8][i][column] = m.yz;
        sums[9][i][column] = m.zz;
      });
  __syncthreads();

  const int pairs = outputs / 2;
  for (int item = threadIdx.x; item < pairs * block_rows; item += block_columns) {
    const int row = item / pairs;
    const int first_column = item % pairs * 2;
    const int y = y0 + row;
    if (y >= cloud.rows || x0 + first_column >= cloud.cols)
      continue;
    double first[moment_count];
    double second[moment_count];
#pragma unroll
    for (int m = 0; m < moment_count; ++m)
      sumTwoWindows(&sums[m][row][first_column], radius, first[m], second[m]);
    for (int i = 0; i < 2; ++i) {
      const int out = x0 + first_column + i;
      if (out >= cloud.cols)
        break;
      const Moments<double> window = {first[0],
                                      first[1],
                                      first[2],
                                      first[3],
                                      first[4],
                                      first[5],
                                      first[6],
                                      first[7],
                                      first[8],
                                      first[9]};
      writeNormal(cloud, parameters, window, out, y, normals);
#pragma unroll
      for (int m = 0; m < moment_count; ++m)
        first[m] = second[m];
    }
  }
}

/** \brief Windows without the neighbours across a depth jump: every pixel for itself. */
__global__ void
withinDepthChangeKernel(PtrStepSz<const Float4> cloud,
                        NormalParameters parameters,
                        PtrStep<Float4> normals)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cloud.cols || y >= cloud.rows)
    return;
  // The point itself is the origin: its neighbours' depths differ by what is tested.
  const Float4 center = cloud.ptr(y)[x];
  const double max_change =
      absolute(widen(center.z)) * widen(parameters.max_depth_change_factor);
  Moments<double> sum = noMoments<double>();
  const int radius = parameters.radius;
  if (isThere(center))
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        addWithinDepthChange(sum,
                             weigh(readPoint(cloud, x + dx, y + dy), center),
                             0.0,
                             max_change);
  writeNormal(cloud, parameters, sum, x, y, normals);
}

template <int Radius>
void
launchWholeWindows(const PtrStepSz<const Float4>& cloud,
                   const NormalParameters& parameters,
                   PtrStep<Float4> normals,
                   cudaStream_t stream)
{
  const dim3 grid(divideUp(cloud.cols, block_columns - 2 * parameters.radius),
                  divideUp(cloud.rows, block_rows));
  wholeWindowsKernel<Radius>
      <<<grid, block_columns, 0, stream>>>(cloud, parameters, normals);
  checkLaunch("wholeWindowsKernel");
}

} // namespace

void
estimateNormals(const PtrStepSz<const Float4>& cloud,
                const NormalParameters& parameters,
                PtrStep<Float4> normals,
                cudaStream_t stream)
{
  if (!isinf(parameters.max_depth_change_factor)) {
    const dim3 block(32, 8);
    const dim3 grid(divideUp(cloud.cols, block.x), divideUp(cloud.rows, block.y));
    withinDepthChangeKernel<<<grid, block, 0, stream>>>(cloud, parameters, normals);
    checkLaunch("withinDepthChangeKernel");
    return;
  }
  // The window sizes in common use get a kernel of their own.
  switch (parameters.radius) {
  case 1:
    return launchWholeWindows<1>(cloud, parameters, normals, stream);
  case 2:
    return launchWholeWindows<2>(cloud, parameters, normals, stream);
  case 3:
    return launchWholeWindows<3>(cloud, parameters, normals, stream);
  case 4:
    return launchWholeWindows<4>(cloud, parameters, normals, stream);
  default:
    return launchWholeWindows<max_radius>(cloud, parameters, normals, stream);
  }
}

} // namespace cuda
} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "normals/normals.h"

#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/plane_fit-inl.h>
#include <pcl/gpu/utils/internal/device/with_constant.hpp>

namespace pcl::device::cuda {

namespace {

/** \brief Outputs of a block along a row, and its threads. */
constexpr int block_columns = 128;
/** \brief Output rows whose windows are summed together; see sumColumn(). */
constexpr int block_rows = 4;
/** \brief More would spill registers. */
constexpr int blocks_per_multiprocessor = 5;
constexpr int max_radius = gpu::NormalMapEstimationParameters::max_window_radius;

using WindowMoments = Moments<double, float>;

/** \brief Column sums of the block's rows, one plane a moment. */
template <int Radius>
struct ColumnSums {
  double moment[moment_sums][block_rows][block_columns + 2 * Radius];
  float count[block_rows][block_columns + 2 * Radius];
};

__device__ bool
isThere(const Float4& p)
{
  // 0 unless a coordinate is infinite or NaN.
  return fmaf(p.x, 0.0f, fmaf(p.y, 0.0f, p.z * 0.0f)) == 0.0f;
}

/** \brief Reads the points of one column; those outside the image are missing. */
struct Column {
  const char* top;
  std::size_t step;
  int y0, rows;
  bool inside;

  __device__
  Column(const PtrStepSz<const Float4>& cloud, int x, int y)
  : top(reinterpret_cast<const char*>(cloud.data + x) +
        static_cast<long long>(y) * static_cast<long long>(cloud.step))
  , step(cloud.step)
  , y0(y)
  , rows(cloud.rows)
  , inside(x >= 0 && x < cloud.cols)
  {}

  __device__ Float4
  operator()(int i) const
  {
    if (!inside || y0 + i < 0 || y0 + i >= rows)
      return {NAN, NAN, NAN, NAN};
    return *reinterpret_cast<const Float4*>(top + i * step);
  }
};

__device__ WeightedPoint<double, float>
weigh(const Float4& p, const Float4& origin)
{
  const bool there = isThere(p);
  return {there ? 1.0f : 0.0f,
          widen(there ? p.x : origin.x) - widen(origin.x),
          widen(there ? p.y : origin.y) - widen(origin.y),
          widen(there ? p.z : origin.z) - widen(origin.z)};
}

/** \brief Any point of the block's, so that its coordinates become small numbers.
 *
 * The leftmost of the middle row's, or of the first row that has one. All threads of
 * the block must call, each with its own column.
 */
__device__ Float4
chooseOrigin(const Column& column, int rows)
{
  __shared__ int chosen;
  __shared__ Float4 origin;
  if (threadIdx.x == 0) {
    chosen = block_columns;
    origin = {0.0f, 0.0f, 0.0f, 0.0f};
  }
  for (int i = -1; i < rows; ++i) {
    const Float4 p = column(i < 0 ? rows / 2 : i);
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
writeNormal(const NormalsTask& task, const WindowMoments& sum, int x, int y)
{
  const Float4 p = task.cloud.ptr(y)[x];
  // NaN where the point is missing.
  const float noise = isThere(p) ? roundingNoise(p.x, p.y, p.z) : NAN;
  const PlaneFit<float> fit = fitPlane(sum,
                                       noise,
                                       task.viewpoint[0] - p.x,
                                       task.viewpoint[1] - p.y,
                                       task.viewpoint[2] - p.z);
  PtrStep<Float4> normals = task.normals;
  normals.ptr(y)[x] = {fit.x, fit.y, fit.z, fit.curvature};
}

/** \brief The points of one column that the windows of a block's rows cover.
 *
 * For windows of known size they are read at once, so that the loads' latencies
 * overlap.
 */
template <int Radius>
struct WindowColumn {
  Float4 points[block_rows + 2 * Radius];

  __device__ explicit WindowColumn(const Column& column)
  {
#pragma unroll
    for (int i = 0; i < block_rows + 2 * Radius; ++i)
      points[i] = column(i);
  }

  __device__ const Float4&
  operator()(int i) const
  {
    return points[i];
  }
};

template <>
struct WindowColumn<max_radius> : Column {
  __device__ explicit WindowColumn(const Column& column) : Column(column) {}
};

/** \brief Sums one column over the windows of the block's rows. */
template <int Radius>
__device__ void
sumWindowColumn(const WindowColumn<Radius>& column,
                int radius,
                const Float4& origin,
                int own,
                ColumnSums<Radius>& sums)
{
  sumColumn<block_rows>(
      radius,
      noMoments<double, float>(),
      [&](int i) { return weigh(column(i), origin); },
      [&](int i, const WindowMoments& m) {
        sums.count[i][own] = m.n;
        visitSums(m, [&](int k, double sum) { sums.moment[k][i][own] = sum; });
      });
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

__device__ WindowMoments
momentsFrom(float n, const double (&m)[moment_sums])
{
  return {n, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]};
}

/** \brief Whole windows: sums by columns, then along rows.
 * \tparam Radius of the window; max_radius stands for any radius, known at run time
 */
template <int Radius>
__global__ void
__launch_bounds__(block_columns, blocks_per_multiprocessor)
    wholeWindowsKernel(NormalsTask task)
{
  __shared__ ColumnSums<Radius> sums;
  const int radius = Radius < max_radius ? Radius : task.radius;
  const int x0 = blockIdx.x * block_columns;
  const int y0 = blockIdx.y * block_rows;
  const auto columnAt = [&](int own) {
    return WindowColumn<Radius>(Column(task.cloud, x0 - radius + own, y0 - radius));
  };
  waitForPreviousKernel();
  const WindowColumn<Radius> column = columnAt(threadIdx.x);
  const Float4 origin =
      chooseOrigin(Column(task.cloud, x0 + threadIdx.x, y0), block_rows);
  sumWindowColumn(column, radius, origin, threadIdx.x, sums);
  // The windows reach beyond the outputs: some threads have a second column.
  if (threadIdx.x < 2 * radius)
    sumWindowColumn(columnAt(block_columns + threadIdx.x),
                    radius,
                    origin,
                    block_columns + threadIdx.x,
                    sums);
  __syncthreads();

  constexpr int pairs = block_columns / 2;
  for (int item = threadIdx.x; item < pairs * block_rows; item += block_columns) {
    const int row = item / pairs;
    const int first_column = item % pairs * 2;
    const int y = y0 + row;
    const int x = x0 + first_column;
    if (y >= task.cloud.rows || x >= task.cloud.cols)
      continue;
    double first[moment_sums];
    double second[moment_sums];
#pragma unroll
    for (int m = 0; m < moment_sums; ++m)
      sumTwoWindows(&sums.moment[m][row][first_column], radius, first[m], second[m]);
    float first_count = 0.0f;
    for (int i = 0; i <= 2 * radius; ++i)
      first_count += sums.count[row][first_column + i];
    const float second_count = first_count - sums.count[row][first_column] +
                               sums.count[row][first_column + 2 * radius + 1];
    writeNormal(task, momentsFrom(first_count, first), x, y);
    if (x + 1 < task.cloud.cols)
      writeNormal(task, momentsFrom(second_count, second), x + 1, y);
  }
}

/** \brief Windows without the neighbours across a depth jump: every pixel for
 * itself. */
__global__ void
withinDepthChangeKernel(NormalsTask task)
{
  waitForPreviousKernel();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= task.cloud.cols || y >= task.cloud.rows)
    return;
  // The point itself is the origin: its neighbours' depths differ by what is tested.
  const Float4 center = task.cloud.ptr(y)[x];
  const double max_change =
      absolute(widen(center.z)) * widen(task.max_depth_change_factor);
  WindowMoments sum = noMoments<double, float>();
  const int radius = task.radius;
  if (isThere(center))
    for (int dx = -radius; dx <= radius; ++dx) {
      const Column column(task.cloud, x + dx, y - radius);
      for (int i = 0; i <= 2 * radius; ++i)
        addWithinDepthChange(sum, weigh(column(i), center), 0.0, max_change);
    }
  writeNormal(task, sum, x, y);
}

} // namespace

void
estimateNormals(const NormalsTask& task, cudaStream_t stream)
{
  const bool whole_windows = isinf(task.max_depth_change_factor);
  const dim3 block = whole_windows ? dim3(block_columns) : dim3(32, 8);
  const int rows = whole_windows ? block_rows : block.y;
  const dim3 grid(divideUp(task.cloud.cols, block.x), divideUp(task.cloud.rows, rows));
  // The window sizes in common use have a kernel of their own.
  const auto whole_windows_kernel = withConstant<1, 4, max_radius>(
      task.radius, [](auto radius) { return wholeWindowsKernel<radius.value>; });
  launchOverlapping("estimateNormals", grid, block, stream)(
      whole_windows ? whole_windows_kernel : withinDepthChangeKernel, task);
}

} // namespace pcl::device::cuda

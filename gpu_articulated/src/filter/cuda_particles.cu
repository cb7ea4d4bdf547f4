// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/cuda_blocks.cuh"
#include "filter/motion.hpp"
#include "filter/pose_statistics.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device {

namespace {

// Blocks of sums and of copies: numbers of a row, and the rows of copies.
constexpr int columns_per_block = 32;
constexpr int rows_per_block = 8;

__device__ void
copyRow(const float* rows, std::size_t from, float* copies, std::size_t to, int size)
{
  for (int i = threadIdx.x; i < size; i += columns_per_block)
    copies[to * size + i] = rows[from * size + i];
}

__global__ void
__launch_bounds__(columns_per_block* rows_per_block)
    gatherKernel(const __grid_constant__ Particles particles)
{
  waitForPreviousKernel();
  const std::uint32_t to = blockIdx.x * rows_per_block + threadIdx.y;
  if (to >= particles.count)
    return;
  const std::uint32_t from = particles.ancestors[to];
  copyRow(particles.poses, from, particles.former_poses, to, particles.space.size());
  if (particles.velocities)
    copyRow(particles.velocities,
            from,
            particles.former_velocities,
            to,
            particles.space.freedoms());
}

__global__ void
__launch_bounds__(threads) moveKernel(const __grid_constant__ MoveTask task)
{
  waitForPreviousKernel();
  // Threads of a warp move the same part, and so take the same way through the code.
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i < task.range.count)
    movePart(task, task.range.first + i, static_cast<int>(blockIdx.y));
}

/** \brief Returns a part of a sum of rows. */
template <typename Terms>
__device__ double
partOfSum(
    const Terms& terms, std::size_t rows, std::size_t number, int part, int column)
{
  const std::size_t first = number * rows_per_sum + part * rows_per_part;
  double sum = 0.0;
#pragma unroll // many loads at a time
  for (std::size_t row = first; row < first + rows_per_part; ++row)
    if (row < rows)
      sum += terms(row, column);
  return sum;
}

/** \brief A block makes a sum of each of its columns, each row of threads a part. */
template <typename Terms>
__global__ void
__launch_bounds__(columns_per_block* parts_per_sum) sumRowsKernel(
    const __grid_constant__ Terms terms, std::size_t rows, int columns, double* sums)
{
  __shared__ double parts[parts_per_sum][columns_per_block];
  waitForPreviousKernel();
  const int column = blockIdx.y * columns_per_block + threadIdx.x;
  const std::size_t number = blockIdx.x;
  if (column < columns)
    parts[threadIdx.y][threadIdx.x] =
        partOfSum(terms, rows, number, threadIdx.y, column);
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns)
    return;
  double sum = 0.0;
  for (int part = 0; part < parts_per_sum; ++part)
    sum += parts[part][threadIdx.x];
  sums[number * columns + column] = sum;
}

/** \brief Sums terms of any type. */
struct SumAllRows {
  cudaStream_t stream;

  template <typename Terms>
  void
  operator()(const Terms& terms, std::size_t rows, int columns, double* sums) const
  {
    const dim3 block(columns_per_block, parts_per_sum);
    const dim3 grid(static_cast<unsigned int>(sumsOf(rows)),
                    blocksFor(columns, columns_per_block));
    launchOverlapping("sumRows", grid, block, stream)(
        &sumRowsKernel<Terms>, terms, rows, columns, sums);
  }
};

/** \brief Makes the last sums of the mean, and the mean of them. */
__global__ void
__launch_bounds__(threads) meanKernel(const __grid_constant__ Particles particles,
                                      const __grid_constant__ PartialSums partial,
                                      double* sums)
{
  waitForPreviousKernel();
  for (int column = threadIdx.x; column < partial.columns; column += threads) {
    double sum = 0.0;
#pragma unroll // many loads at a time
    for (int part = 0; part < parts_per_sum; ++part)
      sum += partOfSum(partial, partial.rows, 0, part, column);
    sums[column] = sum;
  }
  __syncthreads();
  // Rotations take longest, and have their own warp.
  const int i = static_cast<int>(threadIdx.x) - warp_size;
  if (threadIdx.x == threads - 1)
    concludePosition(particles, sums);
  for (int rotation = i + warp_size; i < 0 && rotation <= particles.space.balls;
       rotation += warp_size)
    concludeRotation(particles, sums, rotation);
  for (int angle = i; angle >= 0 && angle < particles.space.angles;
       angle += threads - warp_size)
    if (!isOfBall(particles.space, angle))
      particles.mean[root_size + angle] = concludeAngle(particles, sums, angle);
  const int size = particles.space.size();
  const float* const best = particles.pose(particles.state->best);
  for (int number = i; number >= 0 && number < size; number += threads - warp_size)
    particles.best[number] = best[number];
}

__global__ void
__launch_bounds__(threads)
    deviationsKernel(const __grid_constant__ Particles particles, const double* sums)
{
  waitForPreviousKernel();
  for (int i = threadIdx.x; i < particles.space.freedoms(); i += threads)
    particles.deviations[i] = concludeDeviation(particles, sums[i]);
  if (threadIdx.x == 0)
    ++particles.state->frame;
}

} // namespace

void
cuda::gather(const Particles& particles, cudaStream_t stream)
{
  const dim3 block(columns_per_block, rows_per_block);
  launchOverlapping("gather",
                    blocksFor(particles.count, rows_per_block),
                    block,
                    stream)(&gatherKernel, particles);
}

void
cuda::move(const MoveTask& task, cudaStream_t stream)
{
  const auto parts = static_cast<unsigned int>(task.particles.space.parts());
  const dim3 grid(blocksFor(task.range.count), parts);
  launchOverlapping("move", grid, threads, stream)(&moveKernel, task);
}

void
cuda::summarize(const StatisticsTask& task, cudaStream_t stream)
{
  const Particles& particles = task.particles;
  const SumAllRows sum = {stream};
  const PoseSpace& space = particles.space;
  const int columns = MeanTerms::columns(space);
  double* scratch = task.sums;
  const PartialSums partial =
      sumByLevels(MeanTerms{particles}, columns, scratch, sum, rows_per_sum);
  launchOverlapping("mean", 1, threads, stream)(
      &meanKernel, particles, partial, scratch);
  if (!task.ends_frame)
    return;
  scratch = task.sums;
  const double* const sums =
      sumByLevels(SpreadTerms<false>{particles}, space.freedoms(), scratch, sum).sums;
  launchOverlapping("deviations", 1, threads, stream)(
      &deviationsKernel, particles, sums);
}

const double*
cuda::sumProducts(const StatisticsTask& task, cudaStream_t stream)
{
  const int freedoms = task.particles.space.freedoms();
  const SpreadTerms<true> terms = {task.particles};
  double* scratch = task.sums;
  return sumByLevels(terms, freedoms * freedoms, scratch, SumAllRows{stream}).sums;
}

} // namespace pcl::device

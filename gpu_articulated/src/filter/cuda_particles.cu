// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/cuda_blocks.cuh"
#include "filter/motion.hpp"
#include "filter/pose_statistics.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device {

namespace {

// Blocks of sums and of copies: numbers of a row, and the rows of copies.
constexpr int columns_per_block = 32;
constexpr int rows_per_block = 8;

__global__ void
__launch_bounds__(threads)
    resetAncestorsKernel(std::uint32_t* ancestors, std::uint32_t count)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i < count)
    ancestors[i] = i;
}

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
__launch_bounds__(threads) moveKernel(const __grid_constant__ Particles particles,
                                      ParticleRange range,
                                      const __grid_constant__ MotionTask task)
{
  waitForPreviousKernel();
  const std::size_t parts = particles.space.parts();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= range.count * parts)
    return;
  const auto particle = range.first + static_cast<std::uint32_t>(i / parts);
  movePart(particles, task, particle, static_cast<int>(i % parts));
}

/** \brief A block makes a sum of each of its columns, each row of threads a part. */
template <typename Terms>
__global__ void
__launch_bounds__(columns_per_block* parts_per_sum)
    sumRowsKernel(const __grid_constant__ Terms terms, double* sums)
{
  __shared__ double parts[parts_per_sum][columns_per_block];
  waitForPreviousKernel();
  const int columns = terms.columns();
  const int column = blockIdx.y * columns_per_block + threadIdx.x;
  const std::size_t number = blockIdx.x;
  if (column < columns)
    parts[threadIdx.y][threadIdx.x] = partOfSum(terms, number, threadIdx.y, column);
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
  operator()(const Terms& terms, double* sums) const
  {
    const dim3 block(columns_per_block, parts_per_sum);
    const dim3 grid(static_cast<unsigned int>(sumsOf(terms.rows())),
                    blocksFor(terms.columns(), columns_per_block));
    launchOverlapping(
        "sumRows", &sumRowsKernel<Terms>, grid, block, 0, stream, terms, sums);
  }
};

__global__ void
__launch_bounds__(threads) meanKernel(const __grid_constant__ Particles particles,
                                      const double* sums,
                                      PoseStatistics statistics)
{
  waitForPreviousKernel();
  // Rotations take longest, and have a warp of their own.
  const int i = static_cast<int>(threadIdx.x) - warp_size;
  if (threadIdx.x == 0)
    concludePosition(particles, sums, statistics.mean);
  for (int rotation = i + warp_size; i < 0 && rotation <= particles.space.balls;
       rotation += warp_size)
    concludeRotation(particles, sums, rotation, statistics.mean);
  for (int angle = i; angle >= 0 && angle < particles.space.angles;
       angle += threads - warp_size)
    if (!isOfBall(particles.space, angle))
      statistics.mean[root_size + angle] = concludeAngle(particles, sums, angle);
  const int size = particles.space.size();
  const std::size_t best = particles.state->best;
  for (int number = i; number >= 0 && number < size; number += threads - warp_size)
    statistics.best[number] = particles.poses[best * size + number];
}

__global__ void
__launch_bounds__(threads) deviationsKernel(const __grid_constant__ Particles particles,
                                            const double* sums,
                                            float* deviations)
{
  waitForPreviousKernel();
  for (int i = threadIdx.x; i < particles.space.freedoms(); i += threads)
    deviations[i] = concludeDeviation(particles, sums[i]);
}

__global__ void
__launch_bounds__(threads) covarianceKernel(const __grid_constant__ Particles particles,
                                            const double* sums,
                                            float* matrix,
                                            int size)
{
  waitForPreviousKernel();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < size)
    matrix[i] =
        static_cast<float>(sums[i] / static_cast<double>(particles.state->total));
}

__global__ void
countFrameKernel(FilterState* state)
{
  waitForPreviousKernel();
  ++state->frame;
}

} // namespace

void
cuda::resetAncestors(const Particles& particles, cudaStream_t stream)
{
  launchBlocks("resetAncestors",
               &resetAncestorsKernel,
               blocksFor(particles.count),
               stream,
               particles.ancestors,
               particles.count);
}

void
cuda::gather(const Particles& particles, cudaStream_t stream)
{
  launchOverlapping("gather",
                    &gatherKernel,
                    blocksFor(particles.count, rows_per_block),
                    dim3(columns_per_block, rows_per_block),
                    0,
                    stream,
                    particles);
}

void
cuda::move(const MoveTask& task, cudaStream_t stream)
{
  const std::size_t parts = task.particles.space.parts();
  launchBlocks("move",
               &moveKernel,
               blocksFor(task.range.count * parts),
               stream,
               task.particles,
               task.range,
               task.motion);
}

void
cuda::findMean(const StatisticsTask& task, cudaStream_t stream)
{
  const double* const sums =
      sumByLevels(MeanTerms{task.particles}, task.statistics.sums, SumAllRows{stream});
  launchBlocks("mean", &meanKernel, 1, stream, task.particles, sums, task.statistics);
}

void
cuda::finishFrame(const StatisticsTask& task, cudaStream_t stream)
{
  findMean(task, stream);
  const SpreadTerms terms = {task.particles, task.statistics.mean};
  const double* const sums =
      sumByLevels(terms, task.statistics.sums, SumAllRows{stream});
  launchBlocks("deviations",
               &deviationsKernel,
               1,
               stream,
               task.particles,
               sums,
               task.statistics.deviations);
  launchOverlapping(
      "countFrame", &countFrameKernel, 1, 1, 0, stream, task.particles.state);
}

void
cuda::findCovariance(const StatisticsTask& task, cudaStream_t stream)
{
  const CovarianceTerms terms = {task.particles, task.statistics.mean};
  const double* const sums =
      sumByLevels(terms, task.statistics.sums, SumAllRows{stream});
  launchBlocks("covariance",
               &covarianceKernel,
               blocksFor(terms.columns()),
               stream,
               task.particles,
               sums,
               task.covariance,
               terms.columns());
}

} // namespace pcl::device

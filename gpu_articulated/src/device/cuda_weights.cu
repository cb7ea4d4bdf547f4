// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_particles.h"
#include "resampling.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

using Count = unsigned long long;

constexpr int threads = 256;

/** \brief Threads of the one block that looks for an exponent. */
constexpr int search_threads = 1024;

struct Greater {
  template <typename T>
  __device__ T
  operator()(const T& a, const T& b) const
  {
    return a > b ? a : b;
  }
};

unsigned int
blocksFor(std::uint32_t count)
{
  return (count + threads - 1) / threads;
}

/** \brief Finds the effective size for an exponent. All threads of the block call. */
class SampleSize {
public:
  using Reduce = cub::BlockReduce<Count, search_threads>;

  struct Shared {
    typename Reduce::TempStorage reduce;
    Count result[2];
  };

  __device__
  SampleSize(const double* log_likelihoods,
             const ExponentSample& sample,
             Shared& shared)
  : log_likelihoods_(log_likelihoods)
  , sample_(sample)
  , shared_(shared)
  {
    Count key = 0;
    for (std::uint32_t i = threadIdx.x; i < sample.size; i += search_threads) {
      const double value = log_likelihoods[i * sample.step];
      if (isPossible(value))
        key = Greater()(key, comparableKey(value));
    }
    key = Reduce(shared.reduce).Reduce(key, Greater());
    if (threadIdx.x == 0)
      shared.result[0] = key;
    __syncthreads();
    greatest_key_ = shared.result[0];
    __syncthreads();
  }

  __device__ bool
  isEmpty() const
  {
    return greatest_key_ == 0;
  }

  __device__ double
  operator()(double exponent) const
  {
    const double greatest = valueOfKey(greatest_key_);
    Count total = 0, square_total = 0;
    for (std::uint32_t i = threadIdx.x; i < sample_.size; i += search_threads) {
      const double value = log_likelihoods_[i * sample_.step];
      const ParticleWeight weight = fixedPointWeight(
          joinedLogWeight(value, exponent, -exponent * greatest), ExponentSample::bits);
      total += weight.weight;
      square_total += weight.square;
    }
    total = Reduce(shared_.reduce).Sum(total);
    __syncthreads();
    square_total = Reduce(shared_.reduce).Sum(square_total);
    if (threadIdx.x == 0) {
      shared_.result[0] = total;
      shared_.result[1] = square_total;
    }
    __syncthreads();
    const double size =
        effectiveSize(shared_.result[0], shared_.result[1], ExponentSample::bits);
    __syncthreads();
    return size;
  }

private:
  const double* log_likelihoods_;
  const ExponentSample& sample_;
  Shared& shared_;
  Count greatest_key_;
};

__global__ void
__launch_bounds__(search_threads)
    findExponentKernel(FilterState* state, std::uint32_t count, WeightTask weights)
{
  waitForPreviousKernel();
  __shared__ SampleSize::Shared shared;
  const ExponentSample sample(count);
  const SampleSize sizeFor(weights.log_likelihoods, sample, shared);
  double exponent = 1.0;
  if (!sizeFor.isEmpty())
    exponent =
        findExponent(static_cast<double>(weights.survival_rate) * sample.size, sizeFor);
  if (threadIdx.x == 0)
    state->exponent = exponent;
}

/** \brief Joins log-likelihoods with the log-weights of before, and finds the greatest. */
__global__ void
__launch_bounds__(threads)
    joinKernel(const __grid_constant__ Particles particles, WeightTask weights)
{
  waitForPreviousKernel();
  using Reduce = cub::BlockReduce<Count, threads>;
  __shared__ typename Reduce::TempStorage shared;
  FilterState& state = *particles.state;
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  Count key = 0;
  if (i < particles.count) {
    const double exponent =
        weights.survival_rate > 0.0f ? state.exponent : weights.exponent;
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    const double joined = joinedLogWeight(weights.log_likelihoods[i], exponent, former);
    particles.log_weights[i] = joined;
    key = comparableKey(joined);
  }
  key = Reduce(shared).Reduce(key, Greater());
  if (threadIdx.x == 0)
    atomicMax(&state.greatest_key, key);
}

/** \brief Writes weights, and sums their squares. */
__global__ void
__launch_bounds__(threads) weightKernel(const __grid_constant__ Particles particles)
{
  waitForPreviousKernel();
  using Reduce = cub::BlockReduce<Count, threads>;
  __shared__ typename Reduce::TempStorage shared;
  FilterState& state = *particles.state;
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  Count square = 0;
  if (i < particles.count) {
    const double greatest = valueOfKey(state.greatest_key);
    double& log_weight = particles.log_weights[i];
    if (log_weight == greatest)
      atomicMax(&state.first_greatest, ~i);
    log_weight = relativeLogWeight(log_weight, greatest);
    const ParticleWeight weight =
        fixedPointWeight(log_weight, weightBits(particles.count));
    particles.weight_sums[i] = weight.weight;
    square = weight.square;
  }
  square = Reduce(shared).Sum(square);
  if (threadIdx.x == 0)
    atomicAdd(&state.square_total, square);
}

__global__ void
concludeKernel(const __grid_constant__ Particles particles,
               WeightTask weights,
               const __grid_constant__ ResamplingTask resampling)
{
  waitForPreviousKernel();
  if (!(weights.survival_rate > 0.0f))
    particles.state->exponent = weights.exponent;
  concludeWeights(particles, weights, resampling);
}

__global__ void
__launch_bounds__(threads)
    partCopiesKernel(const __grid_constant__ Particles particles,
                     const __grid_constant__ ResamplingTask resampling)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i < particles.count)
    partCopies(particles, resampling, i);
}

__global__ void
__launch_bounds__(threads)
    ancestorsKernel(const __grid_constant__ Particles particles,
                    const __grid_constant__ ResamplingTask resampling)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i < particles.count)
    particles.ancestors[i] = ancestorOf(particles, resampling, i);
}

void
sumUp(std::uint64_t* values, std::uint32_t count, void* scratch, cudaStream_t stream)
{
  std::size_t bytes = weightScratchBytes(count);
  checkCuda(cub::DeviceScan::InclusiveSum(
                scratch, bytes, values, values, static_cast<int>(count), stream),
            "summing weights");
}

} // namespace

std::size_t
weightScratchBytes(std::uint32_t count)
{
  std::size_t bytes = 0;
  std::uint64_t* const values = nullptr;
  checkCuda(cub::DeviceScan::InclusiveSum(
                nullptr, bytes, values, values, static_cast<int>(count)),
            "asking for the scratch memory of a scan");
  return bytes;
}

void
weigh(const Particles& particles,
      const WeightTask& weights,
      const ResamplingTask& resampling,
      void* scratch,
      cudaStream_t stream)
{
  const unsigned int blocks = blocksFor(particles.count);
  if (weights.survival_rate > 0.0f)
    launchOverlapping("findExponent",
                      &findExponentKernel,
                      1,
                      search_threads,
                      0,
                      stream,
                      particles.state,
                      particles.count,
                      weights);
  launchOverlapping(
      "joinLogWeights", &joinKernel, blocks, threads, 0, stream, particles, weights);
  launchOverlapping("weights", &weightKernel, blocks, threads, 0, stream, particles);
  sumUp(particles.weight_sums, particles.count, scratch, stream);
  launchOverlapping("concludeWeights",
                    &concludeKernel,
                    1,
                    1,
                    0,
                    stream,
                    particles,
                    weights,
                    resampling);
}

void
chooseAncestors(const Particles& particles,
                const ResamplingTask& resampling,
                void* scratch,
                cudaStream_t stream)
{
  const unsigned int blocks = blocksFor(particles.count);
  if (resampling.scheme == ResamplingScheme::Residual) {
    launchOverlapping("partCopies",
                      &partCopiesKernel,
                      blocks,
                      threads,
                      0,
                      stream,
                      particles,
                      resampling);
    sumUp(resampling.copies, particles.count, scratch, stream);
    sumUp(resampling.residuals, particles.count, scratch, stream);
  }
  launchOverlapping("chooseAncestors",
                    &ancestorsKernel,
                    blocks,
                    threads,
                    0,
                    stream,
                    particles,
                    resampling);
}

} // namespace cuda
} // namespace device
} // namespace pcl

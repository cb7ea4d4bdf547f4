// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/cuda_blocks.cuh"
#include "filter/resampling.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/functional.h>

namespace pcl::device::cuda {

namespace {

using Count = unsigned long long;

constexpr int word_bits = 32;

using Greater = thrust::maximum<Count>;

/** \brief Returns the halvings that leave enough particles alive, as found by one block
 * each. */
__device__ int
triedHalvings(const FilterState& state)
{
  return findHalvings(
      [&](int number) { return (state.sums.enough_halvings >> number & 1u) != 0; });
}

/** \brief Returns the exponent that leaves enough particles alive. */
__device__ double
triedExponent(const FilterState& state)
{
  const int halvings = triedHalvings(state);
  const int steps = halvings == 0 ? 0 : findSteps([&](int step) {
    return (state.sums.enough_steps[step / word_bits] >> step % word_bits & 1u) != 0;
  });
  return exponentAt(halvings, steps);
}

/** \brief Tries an exponent a block: numbers of halvings, then of steps. */
template <bool steps>
__global__ void
__launch_bounds__(threads) tryExponentsKernel(const __grid_constant__ WeighTask task)
{
  waitForPreviousKernel();
  FilterState* const state = task.particles.state;
  using Reduce = cub::BlockReduce<Count, threads>;
  __shared__ typename Reduce::TempStorage reduce[3];
  __shared__ Count shared_key;
  const int step = steps ? static_cast<int>(blockIdx.x) + 1 : 0;
  const int halvings = steps ? triedHalvings(*state) : blockIdx.x;
  if (steps && halvings == 0)
    return;
  const double exponent = exponentAt(halvings, step);

  const ExponentSample sample(task.particles.count);
  Count key = 0;
  for (std::uint32_t i = threadIdx.x; i < sample.size; i += threads) {
    const double value = task.log_likelihoods[i * sample.step];
    if (isPossible(value))
      key = max(key, comparableKey(value));
  }
  key = Reduce(reduce[0]).Reduce(key, Greater());
  if (threadIdx.x == 0)
    shared_key = key;
  __syncthreads();
  const double greatest = valueOfKey(shared_key);
  Count total = 0, square_total = 0;
  for (std::uint32_t i = threadIdx.x; i < sample.size; i += threads) {
    const double value = task.log_likelihoods[i * sample.step];
    const ParticleWeight weight = fixedPointWeight(
        joinedLogWeight(value, exponent, -exponent * greatest), ExponentSample::bits);
    total += weight.weight;
    square_total += weight.square;
  }
  total = Reduce(reduce[1]).Sum(total);
  square_total = Reduce(reduce[2]).Sum(square_total);
  if (threadIdx.x != 0)
    return;
  const double needed = static_cast<double>(task.survival_rate) * sample.size;
  // If none is possible, any exponent fits.
  if (shared_key != 0 &&
      !(effectiveSize(total, square_total, ExponentSample::bits) >= needed))
    return;
  if (steps)
    atomicOr(&state->sums.enough_steps[step / word_bits], 1u << step % word_bits);
  else
    atomicOr(&state->sums.enough_halvings, 1ull << halvings);
}

/** \brief Joins log-likelihoods with the former log-weights, and finds the greatest. */
__global__ void
__launch_bounds__(threads) joinKernel(const __grid_constant__ WeighTask task)
{
  waitForPreviousKernel();
  using Reduce = cub::BlockReduce<Count, threads>;
  __shared__ typename Reduce::TempStorage shared;
  const Particles& particles = task.particles;
  FilterState& state = *particles.state;
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  __shared__ double exponent;
  if (threadIdx.x == 0)
    exponent = task.survival_rate > 0.0f ? triedExponent(state) : task.exponent;
  __syncthreads();
  Count key = 0;
  if (i < particles.count) {
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    const double joined = joinedLogWeight(task.log_likelihoods[i], exponent, former);
    particles.log_weights[i] = joined;
    key = comparableKey(joined);
  }
  key = Reduce(shared).Reduce(key, Greater());
  if (threadIdx.x == 0)
    atomicMax(&state.sums.greatest_key, key);
  if (i == 0)
    state.exponent = exponent;
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
    const double greatest = valueOfKey(state.sums.greatest_key);
    double& log_weight = particles.log_weights[i];
    if (log_weight == greatest)
      atomicMax(&state.sums.first_greatest, ~i);
    log_weight = relativeLogWeight(log_weight, greatest);
    const ParticleWeight weight =
        fixedPointWeight(log_weight, weightBits(particles.count));
    particles.weight_sums[i] = weight.weight;
    square = weight.square;
  }
  square = Reduce(shared).Sum(square);
  if (threadIdx.x == 0)
    atomicAdd(&state.sums.square_total, square);
}

__global__ void
concludeKernel(const __grid_constant__ WeighTask task)
{
  waitForPreviousKernel();
  concludeWeights(task);
}

/** \brief Calls a function with every particle. */
template <void (*function)(const WeighTask&, std::uint32_t)>
__global__ void
__launch_bounds__(threads) forEachKernel(const __grid_constant__ WeighTask task)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  if (i < task.particles.count)
    function(task, i);
}

/** \brief Most particles that a block weighs alone. */
constexpr int block_threads = 1024;
constexpr std::uint32_t most_in_block = 4 * block_threads;

/** \brief The particles of a thread, which are neighbours. */
template <int size>
class ThreadParticles {
public:
  __device__ explicit ThreadParticles(std::uint32_t count)
  : first_(threadIdx.x * size)
  , count_(count)
  {}

  /** \brief Calls a function with the number of each particle, and that in the
   * thread. */
  template <typename Function>
  __device__ void
  forEach(const Function& function) const
  {
#pragma unroll
    for (int k = 0; k < size; ++k)
      if (first_ + k < count_)
        function(first_ + k, k);
  }

private:
  std::uint32_t first_, count_;
};

/** \brief Replaces values of all particles by their sums up to each. All threads must
 * call. */
template <int size>
__device__ void
sumUpInBlock(const ThreadParticles<size>& own, std::uint64_t* values)
{
  using Scan = cub::BlockScan<Count, block_threads>;
  __shared__ typename Scan::TempStorage scan;
  Count sums[size] = {};
  own.forEach([&](std::uint32_t i, int k) { sums[k] = values[i]; });
  Scan(scan).InclusiveSum(sums, sums);
  own.forEach([&](std::uint32_t i, int k) { values[i] = sums[k]; });
  __syncthreads();
}

/** \brief Does the work of joinKernel and all that follow it in one block. */
template <int size>
__global__ void
__launch_bounds__(block_threads) weighKernel(const __grid_constant__ WeighTask task)
{
  waitForPreviousKernel();
  using Reduce = cub::BlockReduce<Count, block_threads>;
  __shared__ typename Reduce::TempStorage reduce[2];
  __shared__ double exponent, greatest;
  __shared__ unsigned int first_greatest;
  const Particles& particles = task.particles;
  FilterState& state = *particles.state;
  if (threadIdx.x == 0) {
    exponent = task.survival_rate > 0.0f ? triedExponent(state) : task.exponent;
    first_greatest = 0;
  }
  __syncthreads();
  const ThreadParticles<size> own(particles.count);
  double log_weights[size];
  Count key = 0;
  own.forEach([&](std::uint32_t i, int k) {
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    log_weights[k] = joinedLogWeight(task.log_likelihoods[i], exponent, former);
    key = max(key, comparableKey(log_weights[k]));
  });
  key = Reduce(reduce[0]).Reduce(key, Greater());
  if (threadIdx.x == 0)
    greatest = valueOfKey(key);
  __syncthreads();
  Count square = 0;
  own.forEach([&](std::uint32_t i, int k) {
    if (log_weights[k] == greatest)
      atomicMax(&first_greatest, ~i);
    const double log_weight = relativeLogWeight(log_weights[k], greatest);
    const ParticleWeight weight =
        fixedPointWeight(log_weight, weightBits(particles.count));
    particles.log_weights[i] = log_weight;
    particles.weight_sums[i] = weight.weight;
    square += weight.square;
  });
  square = Reduce(reduce[1]).Sum(square);
  sumUpInBlock(own, particles.weight_sums);
  if (threadIdx.x == 0) {
    state.exponent = exponent;
    state.sums.greatest_key = key;
    state.sums.square_total = square;
    state.sums.first_greatest = first_greatest;
    concludeWeights(task);
  }
  __syncthreads();
  if (task.scheme == ResamplingScheme::Residual) {
    own.forEach([&](std::uint32_t i, int) { partCopies(task, i); });
    sumUpInBlock(own, task.copies);
    sumUpInBlock(own, task.residuals);
  }
  own.forEach([&](std::uint32_t i, int) { chooseAncestor(task, i); });
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
weigh(const WeighTask& task, cudaStream_t stream)
{
  const Particles& particles = task.particles;
  const auto launch = [stream](const char* name, unsigned int blocks) {
    return launchOverlapping(name, blocks, threads, stream);
  };
  const unsigned int blocks = blocksFor(particles.count);
  if (task.survival_rate > 0.0f) {
    launch("tryHalvings", most_halvings + 1)(&tryExponentsKernel<false>, task);
    launch("trySteps", exponent_steps - 1)(&tryExponentsKernel<true>, task);
  }
  if (particles.count <= most_in_block) {
    const auto kernel =
        particles.count <= block_threads ? &weighKernel<1> : &weighKernel<4>;
    launchOverlapping("weigh", 1, block_threads, stream)(kernel, task);
    return;
  }
  launch("joinLogWeights", blocks)(&joinKernel, task);
  launch("weights", blocks)(&weightKernel, particles);
  sumUp(particles.weight_sums, particles.count, task.scratch, stream);
  launchOverlapping("concludeWeights", 1, 1, stream)(&concludeKernel, task);
  if (task.scheme == ResamplingScheme::Residual) {
    launch("partCopies", blocks)(&forEachKernel<&partCopies>, task);
    sumUp(task.copies, particles.count, task.scratch, stream);
    sumUp(task.residuals, particles.count, task.scratch, stream);
  }
  launch("chooseAncestors", blocks)(&forEachKernel<&chooseAncestor>, task);
}

} // namespace pcl::device::cuda

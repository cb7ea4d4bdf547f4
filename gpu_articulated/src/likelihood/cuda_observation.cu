// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/observation.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int key_threads = 256;
/** \brief A block makes a chunk; each of its warps some blocks of points. */
constexpr int warps = 16;
constexpr int blocks_of_warp = chunk_blocks / warps;

__global__ void
__launch_bounds__(key_threads)
    makeKeysKernel(const __grid_constant__ ObservationTask task)
{
  waitForPreviousKernel();
  const std::size_t i =
      static_cast<std::size_t>(blockIdx.x) * key_threads + threadIdx.x;
  if (i >= task.count)
    return;
  task.keys[i] = sortKey(observedPoint(task, i), task.whole_rays);
  task.numbers[i] = static_cast<std::uint32_t>(i);
}

/** \brief Joins the numbers of a warp's threads. */
struct OverWarp {
  template <typename T>
  __device__ T
  operator()(T value) const
  {
    constexpr int count = sizeof(T) / sizeof(float);
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      T other = value;
      float* const numbers = reinterpret_cast<float*>(&other);
      for (int i = 0; i < count; ++i)
        numbers[i] = __shfl_xor_sync(all_lanes, numbers[i], distance);
      include(value, other);
    }
    return value;
  }
};

/** \brief Returns the sums of a warp's points. */
__device__ BackgroundSums
sumOverWarp(BackgroundSums sums)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    sums.squares += __shfl_xor_sync(all_lanes, sums.squares, distance);
    sums.distances += __shfl_xor_sync(all_lanes, sums.distances, distance);
  }
  return sums;
}

/** \brief Joins the numbers of a block's threads: every warp stores its own, then joins
 * all. */
struct OverBlock {
  float (*shared)[warps]; ///< five rows

  template <typename T>
  __device__ T
  operator()(const T& value) const
  {
    static_assert(sizeof(T) <= 5 * sizeof(float), "there are five rows");
    constexpr int count = sizeof(T) / sizeof(float);
    T result = OverWarp()(value);
    const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    float* const numbers = reinterpret_cast<float*>(&result);
    __syncthreads();
    if (lane == 0)
      for (int i = 0; i < count; ++i)
        shared[i][warp] = numbers[i];
    __syncthreads();
    // Both halves of a warp join the same numbers. Sums count twice, which does not
    // change a direction.
    for (int i = 0; i < count; ++i)
      numbers[i] = shared[i][lane % warps];
    return OverWarp()(result);
  }
};

__global__ void
__launch_bounds__(warps* warp_size)
    observeKernel(const __grid_constant__ ObservationTask task)
{
  __shared__ float shared[5][warps];
  __shared__ double warp_weights[warps];
  __shared__ BackgroundSums warp_backgrounds[warps];
  waitForPreviousKernel();
  const Observation& observation = task.observation;
  const float tau = observation.truncation_distance;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  ObservedPoint points[blocks_of_warp];
  double warp_weight = 0.0;
  BackgroundSums warp_sums = {0.0, 0.0};
  for (int i = 0; i < blocks_of_warp; ++i) {
    const std::size_t block =
        static_cast<std::size_t>(blockIdx.x) * chunk_blocks + warp * blocks_of_warp + i;
    const std::size_t place = block * block_points + lane;
    points[i] = place < task.count ? observedPoint(task, task.sorted_numbers[place])
                                   : skippedPoint();
    float own_weight = points[i].weight;
    if (task.backgrounds) {
      const float background =
          place < task.count ? backgroundOf(task, task.sorted_numbers[place]) : NAN;
      observation.backgrounds[place] = background;
      own_weight = isnan(background) ? own_weight : 0.0f;
      const BackgroundSums sums =
          sumOverWarp(backgroundSums(points[i].weight, background, tau));
      if (lane == 0)
        observation.block_backgrounds[block] = sums;
      warp_sums.squares += sums.squares;
      warp_sums.distances += sums.distances;
    }
    const float weight = OverWarp()(own_weight);
    const RayBundle bundle = bundleOf<1>(points + i, weight, tau, OverWarp());
    observation.points[place] = points[i];
    if (lane == 0)
      observation.blocks[block] = bundle;
    warp_weight += weight;
  }
  if (lane == 0) {
    warp_weights[warp] = warp_weight;
    warp_backgrounds[warp] = warp_sums;
  }
  const RayBundle bundle =
      bundleOf<blocks_of_warp>(points, 0.0f, tau, OverBlock{shared});
  if (threadIdx.x == 0) {
    observation.chunks[blockIdx.x] = bundle;
    double weight = 0.0;
    for (const double part : warp_weights)
      weight += part;
    observation.chunk_weights[blockIdx.x] = weight;
    if (task.backgrounds) {
      BackgroundSums sums = {0.0, 0.0};
      for (const BackgroundSums& part : warp_backgrounds) {
        sums.squares += part.squares;
        sums.distances += part.distances;
      }
      observation.chunk_backgrounds[blockIdx.x] = sums;
    }
  }
}

} // namespace

void
makeKeys(const ObservationTask& task, cudaStream_t stream)
{
  const auto blocks =
      static_cast<unsigned int>((task.count + key_threads - 1) / key_threads);
  launchOverlapping("makeKeys", blocks, key_threads, stream)(&makeKeysKernel, task);
}

void
observe(const ObservationTask& task, cudaStream_t stream)
{
  const auto chunks = static_cast<unsigned int>(task.observation.chunk_count);
  launchOverlapping("observe", chunks, warps * warp_size, stream)(&observeKernel, task);
}

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/likelihood_task.h"
#include "likelihood/observation.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
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
  const float weight = task.weights ? task.weights[i] : 1.0f;
  task.keys[i] =
      sortKey(observe(task.points[i], weight, task.viewpoint), task.whole_rays);
  task.numbers[i] = static_cast<std::uint32_t>(i);
}

template <typename Combine>
__device__ float
overWarp(float value, const Combine& combine)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(all_lanes, value, distance));
  return value;
}

struct Sum {
  __device__ float
  operator()(float a, float b) const
  {
    return a + b;
  }
};

struct Least {
  __device__ float
  operator()(float a, float b) const
  {
    return fminf(a, b);
  }
};

struct Most {
  __device__ float
  operator()(float a, float b) const
  {
    return fmaxf(a, b);
  }
};

/** \brief Combines the values of a warp's threads. */
struct OverWarp {
  __device__ Vector3
  operator()(const Vector3& value) const
  {
    return {
        overWarp(value.x, Sum()), overWarp(value.y, Sum()), overWarp(value.z, Sum())};
  }

  __device__ DirectionRange
  operator()(const DirectionRange& value) const
  {
    return {overWarp(value.least_right, Least()),
            overWarp(value.most_right, Most()),
            overWarp(value.least_up, Least()),
            overWarp(value.most_up, Most())};
  }

  __device__ BundleExtent
  operator()(const BundleExtent& value) const
  {
    return {overWarp(value.tangent_square, Most()),
            overWarp(value.nearest, Least()),
            overWarp(value.farthest, Most()),
            overWarp(value.least_length, Least()),
            overWarp(value.greatest_length, Most())};
  }
};

/** \brief The same for a block: every warp hands in its own, then combines all. */
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
    // Both halves of a warp combine the same; sums count everything twice, which does not
    // matter to a direction.
    for (int i = 0; i < count; ++i)
      numbers[i] = shared[i][lane % warps];
    return OverWarp()(result);
  }
};

template <int count, typename Over>
__device__ RayBundle
bundleOf(const ObservedPoint (&points)[count],
         float weight,
         float truncation_distance,
         const Over& over)
{
  Vector3 sum = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < count; ++i)
    sum = sum + directionOf(points[i]);
  const DirectionFrame frame = frameAround(over(sum));
  DirectionRange range = emptyRange();
  for (int i = 0; i < count; ++i)
    include(range, frame, points[i]);
  const Vector3 axis = middleOf(over(range), frame);
  BundleExtent extent = emptyExtent();
  for (int i = 0; i < count; ++i)
    include(extent, extentOf(points[i], axis, truncation_distance));
  return makeBundle(over(extent), axis, weight, truncation_distance);
}

__global__ void
__launch_bounds__(warps* warp_size)
    observeKernel(const __grid_constant__ ObservationTask task)
{
  __shared__ float shared[5][warps];
  __shared__ double warp_weights[warps];
  waitForPreviousKernel();
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  ObservedPoint points[blocks_of_warp];
  double warp_weight = 0.0;
  for (int i = 0; i < blocks_of_warp; ++i) {
    const std::size_t block =
        static_cast<std::size_t>(blockIdx.x) * chunk_blocks + warp * blocks_of_warp + i;
    const std::size_t place = block * block_points + lane;
    points[i] = skippedPoint();
    if (place < task.count) {
      const std::uint32_t number = task.sorted_numbers[place];
      const float weight = task.weights ? task.weights[number] : 1.0f;
      points[i] = observe(task.points[number], weight, task.viewpoint);
    }
    const float weight = overWarp(points[i].weight, Sum());
    const ObservedPoint own[1] = {points[i]};
    const RayBundle bundle =
        bundleOf(own, weight, task.truncation_distance, OverWarp());
    task.observed[place] = points[i];
    if (lane == 0)
      task.blocks[block] = bundle;
    warp_weight += weight;
  }
  if (lane == 0)
    warp_weights[warp] = warp_weight;
  const RayBundle bundle =
      bundleOf(points, 0.0f, task.truncation_distance, OverBlock{shared});
  if (threadIdx.x == 0) {
    task.chunks[blockIdx.x] = bundle;
    double weight = 0.0;
    for (const double part : warp_weights)
      weight += part;
    task.chunk_weights[blockIdx.x] = weight;
  }
}

} // namespace

void
makeKeys(const ObservationTask& task, cudaStream_t stream)
{
  const auto blocks =
      static_cast<unsigned int>((task.count + key_threads - 1) / key_threads);
  launchOverlapping(
      "makeKeysKernel", &makeKeysKernel, blocks, key_threads, 0, stream, task);
}

void
observe(const ObservationTask& task, cudaStream_t stream)
{
  launchOverlapping("observeKernel",
                    &observeKernel,
                    static_cast<unsigned int>(task.chunk_count),
                    warps * warp_size,
                    0,
                    stream,
                    task);
}

} // namespace pcl::device::cuda

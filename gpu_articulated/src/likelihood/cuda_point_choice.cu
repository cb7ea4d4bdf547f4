// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/point_choice.hpp"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 256;

template <void (*function)(const PointChoiceTask&, std::size_t)>
__global__ void
__launch_bounds__(threads)
    forEachPoint(const __grid_constant__ PointChoiceTask task, std::size_t count)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < count)
    function(task, i);
}

unsigned int
blocksFor(std::size_t count)
{
  return static_cast<unsigned int>((count + threads - 1) / threads);
}

} // namespace

void
joinNeighbors(const PointChoiceTask& task, cudaStream_t stream)
{
  launchOverlapping("joinNeighbors", blocksFor(task.all.count), threads, stream)(
      &forEachPoint<&joinPoints>, task, task.all.count);
}

void
makeChoiceKeys(const PointChoiceTask& task, cudaStream_t stream)
{
  launchOverlapping("makeChoiceKeys", blocksFor(task.all.count), threads, stream)(
      &forEachPoint<&makeChoiceKey>, task, task.all.count);
}

void
copyChosenPoints(const PointChoiceTask& task, cudaStream_t stream)
{
  launchOverlapping("copyChosen", blocksFor(task.chosen_count), threads, stream)(
      &forEachPoint<&copyChosen>, task, task.chosen_count);
}

} // namespace pcl::device::cuda

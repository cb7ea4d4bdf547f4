// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/hierarchy.h"
#include "hierarchy/ray_trace.hpp"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 128;

__device__ RayHit
answer(const QueryTask<RayHit>& task, const Ray& ray)
{
  return closestHit(task.hierarchy, ray, task.sides);
}

__device__ std::uint8_t
answer(const QueryTask<std::uint8_t>& task, const Ray& ray)
{
  return anyHit(task.hierarchy, ray, task.sides) ? 1 : 0;
}

__device__ int
answer(const QueryTask<int>& task, const Ray& ray)
{
  return device::countHits(task.hierarchy, ray, task.sides);
}

template <typename Answer>
__global__ void
__launch_bounds__(threads) answerRays(const __grid_constant__ QueryTask<Answer> task)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < task.count)
    task.answers[i] = answer(task, task.rays[i]);
}

template <typename Answer>
void
answerAll(const char* name, const QueryTask<Answer>& task, cudaStream_t stream)
{
  const auto blocks = static_cast<unsigned int>((task.count + threads - 1) / threads);
  launchOverlapping(name, &answerRays<Answer>, blocks, threads, 0, stream, task);
}

} // namespace

void
castRays(const QueryTask<RayHit>& task, cudaStream_t stream)
{
  answerAll("castRays", task, stream);
}

void
testOcclusion(const QueryTask<std::uint8_t>& task, cudaStream_t stream)
{
  answerAll("testOcclusion", task, stream);
}

void
countHits(const QueryTask<int>& task, cudaStream_t stream)
{
  answerAll("countHits", task, stream);
}

} // namespace pcl::device::cuda

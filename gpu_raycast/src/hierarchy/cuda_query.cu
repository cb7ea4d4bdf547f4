// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/hierarchy.h"
#include "hierarchy/ray_trace.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/device/device_scan.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 128;

/** \brief Writes one answer a thread.
 * \tparam find closestHit(), anyHit() or countHits()
 */
template <auto find, typename Answer>
__global__ void
__launch_bounds__(threads)
    answerEachRay(const __grid_constant__ QueryTask task, Answer* answers)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < task.count)
    answers[i] = find(task.hierarchy, task.rays[i], task.culling);
}

/** \brief Lists the hits of a ray a thread. */
__global__ void
__launch_bounds__(threads) listEachRay(const __grid_constant__ ListTask task)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < task.count)
    listHitsOf(task, i);
}

unsigned int
blocksFor(std::size_t rays)
{
  return static_cast<unsigned int>((rays + threads - 1) / threads);
}

template <auto find, typename Answer>
void
answerAll(const QueryTask& task, Answer* answers, cudaStream_t stream)
{
  launchOverlapping("answerEachRay", blocksFor(task.count), threads, stream)(
      answerEachRay<find, Answer>, task, answers);
}

} // namespace

void
answerRays(const QueryTask& task, cudaStream_t stream)
{
  if (task.hits)
    answerAll<closestHit>(task, task.hits, stream);
  else if (task.occluded)
    answerAll<anyHit>(task, task.occluded, stream);
  else
    answerAll<countHits>(task, task.counts, stream);
}

std::size_t
endsScratchBytes(std::size_t count)
{
  std::size_t bytes = 0;
  std::uint64_t* const ends = nullptr;
  checkCuda(cub::DeviceScan::InclusiveSum(nullptr, bytes, ends, ends, count),
            "asking for the scratch memory of a scan");
  return bytes;
}

void
findEnds(const ListTask& task, cudaStream_t stream)
{
  QueryTask counts{};
  counts.hierarchy = task.hierarchy;
  counts.culling = task.culling;
  counts.rays = task.rays;
  counts.count = task.count;
  answerAll<countHits>(counts, task.ends, stream);
  std::size_t bytes = endsScratchBytes(task.count);
  checkCuda(cub::DeviceScan::InclusiveSum(
                task.scratch, bytes, task.ends, task.ends, task.count, stream),
            "summing numbers of hits");
}

void
listHits(const ListTask& task, cudaStream_t stream)
{
  launchOverlapping("listEachRay", blocksFor(task.count), threads, stream)(listEachRay,
                                                                           task);
}

} // namespace pcl::device::cuda

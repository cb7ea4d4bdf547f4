// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/hierarchy.h"
#include "hierarchy/ray_trace.hpp"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

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

template <auto find, typename Answer>
void
answerAll(const QueryTask& task, Answer* answers, cudaStream_t stream)
{
  const auto blocks = static_cast<unsigned int>((task.count + threads - 1) / threads);
  launchOverlapping("answerEachRay", blocks, threads, stream)(
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

} // namespace pcl::device::cuda

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
__launch_bounds__(threads) answerRays(const __grid_constant__ QueryTask<Answer> task)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < task.count)
    task.answers[i] = find(task.hierarchy, task.rays[i], task.sides);
}

template <auto find, typename Answer>
void
answerAll(const char* name, const QueryTask<Answer>& task, cudaStream_t stream)
{
  const auto blocks = static_cast<unsigned int>((task.count + threads - 1) / threads);
  launchOverlapping(name, blocks, threads, stream)(answerRays<find, Answer>, task);
}

} // namespace

void
castRays(const QueryTask<RayHit>& task, cudaStream_t stream)
{
  answerAll<closestHit>("castRays", task, stream);
}

void
testOcclusion(const QueryTask<std::uint8_t>& task, cudaStream_t stream)
{
  answerAll<anyHit>("testOcclusion", task, stream);
}

void
countHits(const QueryTask<int>& task, cudaStream_t stream)
{
  answerAll<device::countHits>("countHits", task, stream);
}

} // namespace pcl::device::cuda

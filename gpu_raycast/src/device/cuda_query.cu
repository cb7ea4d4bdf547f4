// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_hierarchy.h"
#include "ray_trace.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

namespace {

constexpr int threads = 128;

struct ClosestHitQuery {
  __device__ RayHit
  operator()(const Hierarchy& hierarchy, const Ray& ray, HitSides sides) const
  {
    return closestHit(hierarchy, ray, sides);
  }
};

struct AnyHitQuery {
  __device__ std::uint8_t
  operator()(const Hierarchy& hierarchy, const Ray& ray, HitSides sides) const
  {
    return anyHit(hierarchy, ray, sides) ? 1 : 0;
  }
};

struct HitCountQuery {
  __device__ int
  operator()(const Hierarchy& hierarchy, const Ray& ray, HitSides sides) const
  {
    return countHits(hierarchy, ray, sides);
  }
};

template <typename Query, typename T>
__global__ void
__launch_bounds__(threads)
    answerRays(const __grid_constant__ QueryTask task, T* answers)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < task.count)
    answers[i] = Query()(task.hierarchy, task.rays[i], task.sides);
}

template <typename Query, typename T>
void
launchQuery(const char* name, const QueryTask& task, T* answers, cudaStream_t stream)
{
  const auto blocks = static_cast<unsigned int>((task.count + threads - 1) / threads);
  launchOverlapping(
      name, &answerRays<Query, T>, blocks, threads, 0, stream, task, answers);
}

class CudaRayQueryDriver : public RayQueryDriver {
public:
  void
  clear(void* memory, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, 0, bytes, queue), "clearing memory");
  }

  std::size_t
  boxCount(const HierarchySize& size) const override
  {
    return cuda::boxCount(size);
  }

  void
  makeKeys(const BuildTask& task, Queue queue) const override
  {
    cuda::makeKeys(task, queue);
  }

  void
  makeHierarchy(const BuildTask& task,
                const std::uint32_t* sorted_ids,
                Queue queue) const override
  {
    cuda::makeHierarchy(task, sorted_ids, queue);
  }

  void
  castRays(const QueryTask& task, RayHit* hits, Queue queue) const override
  {
    launchQuery<ClosestHitQuery>("castRays", task, hits, queue);
  }

  void
  testOcclusion(const QueryTask& task,
                std::uint8_t* occluded,
                Queue queue) const override
  {
    launchQuery<AnyHitQuery>("testOcclusion", task, occluded, queue);
  }

  void
  countHits(const QueryTask& task, int* counts, Queue queue) const override
  {
    launchQuery<HitCountQuery>("countHits", task, counts, queue);
  }
};

} // namespace

const RayQueryDriver&
cudaRayQueryDriver()
{
  static const CudaRayQueryDriver driver;
  return driver;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tile_grid.h"
#include "cuda_visibility.h"
#include "driver.h"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl::device {

namespace {

class CudaRayCastDriver : public RayCastDriver {
public:
  void
  fill(void* memory, unsigned char value, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, value, bytes, queue), "filling memory");
  }

  std::size_t
  visibilityCounters(const CastTask& task) const override
  {
    return cuda::visibilityCounters(task);
  }

  std::size_t
  visibilityScratchBytes(const CastTask& task) const override
  {
    return cuda::visibilityScratchBytes(task);
  }

  void
  castVisibility(const CastTask& task, void* scratch, Queue queue) const override
  {
    cuda::castVisibility(task, scratch, queue);
    cuda::resolve(task, queue);
  }

  std::size_t
  tileGridScratchBytes(const CastTask& task, const GridLayout& layout) const override
  {
    return cuda::tileGridScratchBytes(task, layout);
  }

  void
  castTileGrid(const CastTask& task,
               const GridLayout& layout,
               void* scratch,
               Queue queue) const override
  {
    cuda::castTileGrid(task, layout, scratch, queue);
    if (task.images.needTriangles())
      cuda::resolve(task, queue);
  }
};

} // namespace

const RayCastDriver&
cudaRayCastDriver()
{
  static const CudaRayCastDriver driver;
  return driver;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tensor.h"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl::device {

namespace {

class CudaTensorDriver : public TensorDriver {
public:
  ScratchBytes
  pairScratchBytes(const PairTask& task) const override
  {
    return cuda::pairScratchBytes(task);
  }

  void
  findPairs(const PairTask& task,
            const ScratchMemory& scratch,
            Queue queue) const override
  {
    cuda::findPairs(task, scratch, queue);
  }

  ScratchBytes
  tensorScratchBytes(const TensorTask& task) const override
  {
    return cuda::tensorScratchBytes(task);
  }

  void
  computeTensors(const TensorTask& task,
                 const ScratchMemory& scratch,
                 Queue queue) const override
  {
    cuda::computeTensors(task, scratch, queue);
  }

  void
  clear(void* memory, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, 0, bytes, queue), "clearing device memory");
  }
};

} // namespace

const TensorDriver&
cudaTensorDriver()
{
  static const CudaTensorDriver driver;
  return driver;
}

} // namespace pcl::device

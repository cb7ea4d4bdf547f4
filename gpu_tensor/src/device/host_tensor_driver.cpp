// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_tensor.h"

#include <cstring>

namespace pcl::device {

namespace {

class HostTensorDriver : public TensorDriver {
public:
  ScratchBytes
  pairScratchBytes(const PairTask& task) const override
  {
    return {0, host::pairScratchBytes(task)};
  }

  void
  findPairs(const PairTask& task, const ScratchMemory& scratch, Queue) const override
  {
    host::findPairs(task, scratch.loose);
  }

  ScratchBytes
  tensorScratchBytes(const TensorTask& task) const override
  {
    return {0, host::tensorScratchBytes(task)};
  }

  void
  computeTensors(const TensorTask& task,
                 const ScratchMemory& scratch,
                 Queue) const override
  {
    host::computeTensors(task, scratch.loose);
  }

  void
  clear(void* memory, std::size_t bytes, Queue) const override
  {
    std::memset(memory, 0, bytes);
  }
};

} // namespace

const TensorDriver&
hostTensorDriver()
{
  static const HostTensorDriver driver;
  return driver;
}

} // namespace pcl::device

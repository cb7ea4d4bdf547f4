// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/depth_filling.hpp"

namespace pcl::device {

namespace {

class CudaDepthFillingDriver final : public DepthFillingDriver {
public:
  void
  fill(const DepthFillingTask& task, Queue queue) const override
  {
    fillDepth(CudaExecutor{queue}, task);
  }
};

} // namespace

const DepthFillingDriver&
cudaDepthFillingDriver()
{
  static const CudaDepthFillingDriver driver;
  return driver;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "composition_driver.hpp"

namespace pcl {
namespace device {

namespace {

struct MakeCudaExecutor {
  CudaExecutor
  operator()(CUstream_st* queue) const
  {
    return {queue};
  }
};

} // namespace

const CompositionDriver&
cudaCompositionDriver()
{
  static const CompositionDriverOn<MakeCudaExecutor> driver;
  return driver;
}

} // namespace device
} // namespace pcl

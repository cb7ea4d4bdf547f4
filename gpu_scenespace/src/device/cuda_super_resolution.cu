// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "super_resolution_driver.hpp"

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

const SuperResolutionDriver&
cudaSuperResolutionDriver()
{
  static const SuperResolutionDriverOn<MakeCudaExecutor> driver;
  return driver;
}

} // namespace device
} // namespace pcl

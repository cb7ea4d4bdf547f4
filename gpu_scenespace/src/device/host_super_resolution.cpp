// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "super_resolution_driver.hpp"

namespace pcl {
namespace device {

namespace {

struct MakeHostExecutor {
  HostExecutor
  operator()(CUstream_st*) const
  {
    return {};
  }
};

} // namespace

const SuperResolutionDriver&
hostSuperResolutionDriver()
{
  static const SuperResolutionDriverOn<MakeHostExecutor> driver;
  return driver;
}

} // namespace device
} // namespace pcl

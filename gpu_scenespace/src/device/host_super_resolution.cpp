// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "make_executor.hpp"
#include "super_resolution_driver.hpp"

namespace pcl::device {

const SuperResolutionDriver&
hostSuperResolutionDriver()
{
  static const SuperResolutionDriverOn<MakeHostExecutor> driver;
  return driver;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/make_executor.hpp"
#include "effects/super_resolution/super_resolution_driver.hpp"

namespace pcl::device {

const SuperResolutionDriver&
cudaSuperResolutionDriver()
{
  static const SuperResolutionDriverOn<MakeCudaExecutor> driver;
  return driver;
}

} // namespace pcl::device

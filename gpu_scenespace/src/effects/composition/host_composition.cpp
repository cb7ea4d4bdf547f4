// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition_driver.hpp"
#include "effects/composition/make_executor.hpp"

namespace pcl::device {

const CompositionDriver&
hostCompositionDriver()
{
  static const CompositionDriverOn<MakeHostExecutor> driver;
  return driver;
}

} // namespace pcl::device

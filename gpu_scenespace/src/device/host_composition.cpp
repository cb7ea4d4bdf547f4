// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "composition_driver.hpp"

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

const CompositionDriver&
hostCompositionDriver()
{
  static const CompositionDriverOn<MakeHostExecutor> driver;
  return driver;
}

} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/depth_filling.hpp"

namespace pcl::device {

namespace {

class HostDepthFillingDriver final : public DepthFillingDriver {
public:
  void
  fill(const DepthFillingTask& task, Queue) const override
  {
    fillDepth(HostExecutor(), task);
  }
};

} // namespace

const DepthFillingDriver&
hostDepthFillingDriver()
{
  static const HostDepthFillingDriver driver;
  return driver;
}

} // namespace pcl::device

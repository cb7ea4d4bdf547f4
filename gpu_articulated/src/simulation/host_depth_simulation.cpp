// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "depth_simulation_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

namespace {

class HostDepthSimulationDriver : public DepthSimulationDriver {
public:
  void
  addNoise(const AddDepthNoise& pixel, int columns, int rows, Queue) const override
  {
    parallelFor2D(HostExecutor(), columns, rows, pixel);
  }

  void
  project(const ProjectDepth& pixel, int columns, int rows, Queue) const override
  {
    parallelFor2D(HostExecutor(), columns, rows, pixel);
  }
};

} // namespace

const DepthSimulationDriver&
hostDepthSimulationDriver()
{
  static const HostDepthSimulationDriver driver;
  return driver;
}

} // namespace pcl::device

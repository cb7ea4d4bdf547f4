// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "depth_simulation_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

namespace {

class CudaDepthSimulationDriver : public DepthSimulationDriver {
public:
  void
  addNoise(const AddDepthNoise& pixel,
           int columns,
           int rows,
           Queue queue) const override
  {
    parallelFor2D(CudaExecutor{queue}, columns, rows, pixel);
  }

  void
  project(const ProjectDepth& pixel, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(CudaExecutor{queue}, columns, rows, pixel);
  }
};

} // namespace

const DepthSimulationDriver&
cudaDepthSimulationDriver()
{
  static const CudaDepthSimulationDriver driver;
  return driver;
}

} // namespace pcl::device

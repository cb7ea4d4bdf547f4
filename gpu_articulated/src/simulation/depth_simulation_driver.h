// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "depth_simulation.hpp"

struct CUstream_st;

namespace pcl::device {

/** \brief What gpu::DepthSensorSimulation asks of a device; it has no state. */
class DepthSimulationDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  addNoise(const AddDepthNoise& pixel, int columns, int rows, Queue queue) const = 0;

  virtual void
  project(const ProjectDepth& pixel, int columns, int rows, Queue queue) const = 0;

protected:
  ~DepthSimulationDriver() = default;
};

const DepthSimulationDriver&
hostDepthSimulationDriver();

/** \brief Exists only where the module is built with CUDA. */
const DepthSimulationDriver&
cudaDepthSimulationDriver();

} // namespace pcl::device

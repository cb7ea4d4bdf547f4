// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "deformation.hpp"

struct CUstream_st;

namespace pcl::device {

/** \brief What gpu::MeshDeformation asks of a device; it has no state. */
class DeformationDriver {
public:
  virtual void
  deform(const DeformationTask& task, CUstream_st* queue) const = 0;

protected:
  ~DeformationDriver() = default;
};

const DeformationDriver&
hostDeformationDriver();

/** \brief Exists only where the module is built with CUDA. */
const DeformationDriver&
cudaDeformationDriver();

} // namespace pcl::device

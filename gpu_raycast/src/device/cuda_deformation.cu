// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "deformation_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

namespace {

class CudaDeformationDriver : public DeformationDriver {
public:
  void
  deform(const DeformationTask& task, CUstream_st* queue) const override
  {
    parallelFor2D(CudaExecutor{queue},
                  deformation_columns,
                  deformationRows(task),
                  DeformVertices{task});
  }
};

} // namespace

const DeformationDriver&
cudaDeformationDriver()
{
  static const CudaDeformationDriver driver;
  return driver;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "deformation_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

namespace {

class HostDeformationDriver : public DeformationDriver {
public:
  void
  deform(const DeformationTask& task, CUstream_st*) const override
  {
    parallelFor2D(HostExecutor(),
                  deformation_columns,
                  deformationRows(task),
                  DeformVertices{task});
  }
};

} // namespace

const DeformationDriver&
hostDeformationDriver()
{
  static const HostDeformationDriver driver;
  return driver;
}

} // namespace pcl::device

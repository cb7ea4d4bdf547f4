// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>

namespace pcl::gpu {

void
CloudResolution::setNumberOfNeighbors(int k)
{
  checkArgument(k == 4 || k == 8, "number of neighbors", k, "4 or 8");
  neighbors_ = k;
}

int
CloudResolution::getNumberOfNeighbors() const
{
  return neighbors_;
}

void
CloudResolution::compute(const OrganizedCloud& cloud,
                         const NormalMap& normals,
                         DeviceArray<ResolutionStatistics>& statistics,
                         const Stream& stream)
{
  const Stage stage("cloud", cloud);
  stage.require("normals", normals);
  if (!normals.empty())
    checkSameSize("normals", normals, "cloud", cloud);
  createOn(stage.device(), statistics, 1);
  const std::size_t bytes =
      stage.driver().resolutionScratchBytes(cloud.rows(), cloud.cols());
  stage.driver().measureResolution(inputView<device::Float4>(cloud),
                                   inputView<device::Float4>(normals),
                                   neighbors_,
                                   scratchOn(stage, workspace_, bytes, stream),
                                   statistics.ptr(),
                                   stream.get());
}

} // namespace pcl::gpu

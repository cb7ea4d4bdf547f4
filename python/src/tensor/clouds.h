// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor/module.h"

#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cmath>
#include <cstring>

namespace pcl_gpu_python {

/** \brief Copies points (rows of four numbers) or an image of them to a cloud of PCL's.
 */
inline pcl::PointCloud<pcl::PointXYZ>
cloudOf(const ArrayArgument& argument, const char* name)
{
  const ArrayView view = hostViewOf(argument, name);
  pcl::PointCloud<pcl::PointXYZ> cloud;
  const pcl::PointXYZ* points = nullptr;
  if (view.shape.size() == 3) {
    checkArray(view, name, nb::dtype<float>(), {any_length, any_length, 4}, -1);
    cloud.resize(static_cast<std::uint32_t>(view.shape[1]),
                 static_cast<std::uint32_t>(view.shape[0]));
  }
  else {
    checkArray(view, name, nb::dtype<float>(), {any_length, 4}, -1);
    cloud.resize(static_cast<std::size_t>(view.shape[0]));
  }
  points = static_cast<const pcl::PointXYZ*>(view.data);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    cloud[i].getVector3fMap() = points[i].getVector3fMap();
    if (!cloud[i].getVector3fMap().allFinite())
      cloud.is_dense = false;
  }
  return cloud;
}

} // namespace pcl_gpu_python

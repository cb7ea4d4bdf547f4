// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_cast_driver.h"

#include <vector>

namespace pcl::device {

namespace {

class HostCapsuleCastDriver : public CapsuleCastDriver {
public:
  void
  cast(const CapsuleCastTask& task, CUstream_st*) const override
  {
    std::vector<CastCapsule> capsules;
    capsules.reserve(task.count);
    for (int id = 0; id < task.count; ++id)
      capsules.push_back(castCapsule(task.capsules[id], task.pose));
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < task.rows; ++row)
      for (int column = 0; column < task.columns; ++column) {
        const PixelRay ray = pixelRay(task.rays, column, row);
        NearestCapsule nearest;
        for (int id = 0; id < task.count; ++id)
          castAt(capsules[id], id, ray, nearest);
        writePixel(task, column, row, ray, nearest);
      }
  }
};

} // namespace

const CapsuleCastDriver&
hostCapsuleCastDriver()
{
  static const HostCapsuleCastDriver driver;
  return driver;
}

} // namespace pcl::device

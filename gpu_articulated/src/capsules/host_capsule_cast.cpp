// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsules/capsule_cast.hpp"

#include <vector>

namespace pcl::device {

void
host::castCapsules(const CapsuleCastTask& task)
{
  std::vector<CastCapsule> capsules;
  capsules.reserve(task.count);
  for (int id = 0; id < task.count; ++id)
    capsules.push_back(castCapsule(task.capsules[id], task.pose));
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < task.camera.height; ++row)
    for (int column = 0; column < task.camera.width; ++column) {
      const PixelRay ray = pixelRay(task.camera, column, row);
      NearestCapsule nearest;
      for (int id = 0; id < task.count; ++id)
        castAt(capsules[id], id, ray, nearest);
      writePixel(task, column, row, ray, nearest);
    }
}

} // namespace pcl::device

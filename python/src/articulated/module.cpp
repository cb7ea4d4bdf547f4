// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include <string>

namespace pcl_gpu_python {

using namespace pcl::gpu;

Input<DeviceArray<float>>
posesFrom(const ArrayArgument& argument, const char* name, const Skeleton* skeleton)
{
  const ArrayView view = viewOf(argument, name);
  return rowsFrom<float>(view, name, skeleton ? skeleton->poseSize() : any_length);
}

std::vector<std::vector<float>>
hostPosesFrom(const ArrayArgument& argument, const char* name)
{
  const ArrayView view = hostViewOf(argument, name);
  checkArray(view, name, nb::dtype<float>(), {any_length, any_length}, -1);
  const float* const numbers = static_cast<const float*>(view.data);
  std::vector<std::vector<float>> poses;
  for (std::int64_t i = 0; i < view.shape[0]; ++i)
    poses.emplace_back(numbers + i * view.shape[1], numbers + (i + 1) * view.shape[1]);
  return poses;
}

NB_MODULE(articulated, module)
{
  nb::module_::import_("pcl_gpu.utils");
  module.doc() = "Bodies of bones and skin: their motion, their poses in depth maps.";
  bindSkeletons(module);
  bindMotions(module);
  bindKinematics(module);
  bindLikelihood(module);
  bindFilterParameters(module);
  bindFilter(module);
  bindFitting(module);
  bindJoints(module);
  bindPeople(module);
}

} // namespace pcl_gpu_python

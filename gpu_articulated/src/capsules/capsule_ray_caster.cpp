// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_cast_driver.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>

#include <limits>

namespace pcl::gpu {

void
CapsuleRayCaster::setCamera(const PinholeCamera& camera, const Pose& pose)
{
  camera.validate();
  checkArgument(camera.width > 0, "camera's width", camera.width, "1 or more");
  checkArgument(camera.height > 0, "camera's height", camera.height, "1 or more");
  validatePose(pose, "camera's pose");
  camera_ = camera;
  pose_ = pose;
}

const PinholeCamera&
CapsuleRayCaster::getCamera() const
{
  return camera_;
}

const Pose&
CapsuleRayCaster::getPose() const
{
  return pose_;
}

void
CapsuleRayCaster::cast(const DeviceArray<TaperedCapsule>& capsules,
                       DeviceArray2D<float>& depth_map,
                       const Stream& stream) const
{
  run(capsules, depth_map, nullptr, nullptr, stream);
}

void
CapsuleRayCaster::cast(const DeviceArray<TaperedCapsule>& capsules,
                       DeviceArray2D<float>& depth_map,
                       DeviceArray2D<int>& ids,
                       DeviceArray2D<PointXYZ>& normals,
                       const Stream& stream) const
{
  run(capsules, depth_map, &ids, &normals, stream);
}

void
CapsuleRayCaster::run(const DeviceArray<TaperedCapsule>& capsules,
                      DeviceArray2D<float>& depth_map,
                      DeviceArray2D<int>* ids,
                      DeviceArray2D<PointXYZ>* normals,
                      const Stream& stream) const
{
  checkArgument(camera_.width > 0, "camera", "not set", "setCamera() before cast()");
  checkArgument(capsules.size() <= std::size_t(std::numeric_limits<int>::max()),
                "number of capsules",
                capsules.size(),
                "less than 2^31");
  const Device device = capsules.empty() ? currentDevice() : deviceOf(capsules);
  const ScopedDevice scope(device);
  const int rows = camera_.height, columns = camera_.width;
  createOn(device, depth_map, rows, columns);

  device::CapsuleCastTask task = {};
  task.rays = {camera_.fx, camera_.fy, camera_.cx, camera_.cy};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      task.pose.m[row][column] = pose_.matrix()(row, column);
  task.columns = columns;
  task.rows = rows;
  task.capsules = capsules.ptr();
  task.count = static_cast<int>(capsules.size());
  task.depth = depth_map;
  if (ids) {
    createOn(device, *ids, rows, columns);
    createOn(device, *normals, rows, columns);
    task.ids = *ids;
    task.normals = {reinterpret_cast<device::Float4*>(normals->ptr()), normals->step()};
  }
  chooseDriver(device,
               &device::hostCapsuleCastDriver,
               PCL_GPU_CUDA_ONLY(device::cudaCapsuleCastDriver),
               "gpu_articulated")
      .cast(task, stream.get());
}

} // namespace pcl::gpu

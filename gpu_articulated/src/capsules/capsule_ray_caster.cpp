// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsules/capsule_cast.hpp"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Casts the rays.
 * \param[in] parameters of the caster
 * \param[in] capsules in the world
 * \param[out] depth_map of the camera
 * \param[out] ids null if they are not wanted
 * \param[out] normals null if \a ids are
 * \param[in] stream the queue to join
 */
void
castCapsules(const CapsuleRayCasterParameters& parameters,
             const DeviceArray<TaperedCapsule>& capsules,
             DeviceArray2D<float>& depth_map,
             DeviceArray2D<int>* ids,
             DeviceArray2D<PointXYZ>* normals,
             const Stream& stream)
{
  const PinholeCamera& camera = parameters.camera;
  checkArgument(camera.width > 0, "camera", "not set", "setParameters() before cast()");
  checkArgument(capsules.size() <= std::size_t(std::numeric_limits<int>::max()),
                "number of capsules",
                capsules.size(),
                "less than 2^31");
  const Device device = capsules.empty() ? currentDevice() : deviceOf(capsules);
  const ScopedDevice scope(device);
  const int rows = camera.height, columns = camera.width;
  createOn(device, depth_map, rows, columns);

  device::CapsuleCastTask task = {};
  task.camera = camera;
  task.pose = rigidTransform(parameters.pose);
  task.capsules = capsules.ptr();
  task.count = static_cast<int>(capsules.size());
  task.depth = depth_map;
  if (ids) {
    createOn(device, *ids, rows, columns);
    createOn(device, *normals, rows, columns);
    task.ids = *ids;
    task.normals = {reinterpret_cast<device::Float4*>(normals->ptr()), normals->step()};
  }
  dispatch(device, PCL_GPU_BOTH(castCapsules), task, stream);
}

} // namespace

void
CapsuleRayCasterParameters::validate() const
{
  camera.validate();
  checkArgument(camera.width > 0, "camera's width", camera.width, "1 or more");
  checkArgument(camera.height > 0, "camera's height", camera.height, "1 or more");
  validatePose(pose, "camera's pose");
}

void
CapsuleRayCaster::cast(const DeviceArray<TaperedCapsule>& capsules,
                       DeviceArray2D<float>& depth_map,
                       const Stream& stream) const
{
  castCapsules(parameters_, capsules, depth_map, nullptr, nullptr, stream);
}

void
CapsuleRayCaster::cast(const DeviceArray<TaperedCapsule>& capsules,
                       DeviceArray2D<float>& depth_map,
                       DeviceArray2D<int>& ids,
                       DeviceArray2D<PointXYZ>& normals,
                       const Stream& stream) const
{
  castCapsules(parameters_, capsules, depth_map, &ids, &normals, stream);
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/camera.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/culling.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <cstddef>
#include <vector>

// The kernels' view of scenes and cameras.

namespace pcl::gpu {

/** \brief The device that a scene's arrays live on; the current one if it has none. */
Device
deviceOf(const MeshScene& scene);

/** \brief Gives an array at least a size on a device.
 * \return whether its memory is new
 */
template <typename T>
bool
grow(DeviceArray<T>& array, const Device& device, std::size_t size)
{
  if (array.size() >= size && deviceOf(array) == device)
    return false;
  array.release(); // the memory may be needed for the new one
  createOn(device, array, size);
  return true;
}

/** \brief Gives an array that tasks leave as they find it at least a size on a device.
 * \param[in] value of all bytes of new memory
 * \return the array; null if nothing is needed
 */
template <typename T>
T*
grown(DeviceArray<T>& array,
      const Device& device,
      std::size_t size,
      unsigned char value,
      const Stream& stream)
{
  if (size == 0)
    return nullptr;
  if (grow(array, device, size))
    fillAsync(device, array.ptr(), value, array.sizeBytes(), stream);
  return array.ptr();
}

/** \brief A rigid transform in double precision. */
using ExactPose = Eigen::Isometry3d;

/** \brief The kernels' view of all instances of a scene.
 * \param[in] world_to_rays the world into the frame that rays are cast in
 * \param[in,out] instances of the scene in their order, appended
 * \param[in] first_triangle the lowest triangle id of the scene
 */
void
appendInstances(const MeshScene& scene,
                const ExactPose& world_to_rays,
                std::vector<device::Instance>& instances,
                std::uint32_t first_triangle = 0);

/** \brief The kernels' view of a camera.
 * \param[in] nearest hits at this depth or less do not count
 * \param[in] farthest hits beyond do not count
 */
device::View
viewOf(const CameraView& view, float nearest, float farthest, Culling culling);

} // namespace pcl::gpu

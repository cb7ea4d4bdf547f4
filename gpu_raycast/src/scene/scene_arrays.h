// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/resolve.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/mesh_scene.h>
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

/** \brief The kernels' view of an image. */
template <typename To, typename T>
device::PtrStep<To>
pixelsOf(DeviceArray2D<T>& image)
{
  static_assert(sizeof(To) == sizeof(T), "both must describe the same pixel");
  return device::PtrStep<To>(reinterpret_cast<To*>(image.ptr()), image.step());
}

/** \brief Returns the kernels' name for the sides that are not culled. */
inline device::HitSides
hitSides(Culling culling)
{
  static_assert(int(Culling::None) == int(device::HitSides::Both) &&
                    int(Culling::Back) == int(device::HitSides::Front) &&
                    int(Culling::Front) == int(device::HitSides::Back),
                "the side that is not culled is hit");
  return static_cast<device::HitSides>(culling);
}

/** \brief A rigid transform in double precision. */
using ExactPose = Eigen::Isometry3d;

/** \brief The kernels' view of all instances of a scene.
 * \param[in] world_to_rays the world into the frame that rays are cast in
 * \param[in,out] instances of the scene in their order, appended
 */
void
appendInstances(const MeshScene& scene,
                const ExactPose& world_to_rays,
                std::vector<device::Instance>& instances);

/** \brief The kernels' view of a camera.
 * \param[in] nearest hits at this depth or less do not count
 * \param[in] farthest hits beyond do not count
 */
device::View
viewOf(const CameraView& view, float nearest, float farthest, device::HitSides sides);

} // namespace pcl::gpu

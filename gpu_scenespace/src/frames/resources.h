// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_resources.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the devices that share the work, one at least. */
std::vector<Device>
devicesOf(const SceneSpaceResources& resources);

/** \brief Returns the bytes of a device's memory that may be used. */
std::size_t
memoryBudget(const SceneSpaceResources& resources, const Device& device);

/** \brief Returns the number of threads that read frames.
 * \throws pcl::BadArgumentException naming the number if it is negative
 */
int
readingThreads(const SceneSpaceResources& resources);

/** \brief Returns the pixels of an image with rows padded as on a GPU. */
std::size_t
paddedPixels(int width, int height);

/** \brief Returns the bytes of a workspace's piece with a value for each pixel of an
 * output. */
template <typename T>
std::size_t
pixelMemory(const SceneView& view)
{
  return Workspace::bytesFor<T>(std::size_t(view.camera.width) * view.camera.height);
}

/** \brief Returns the bytes of device memory that an array takes: a GPU hands out large
 * ones in pieces of two million. */
std::size_t
arrayMemory(std::size_t bytes);

} // namespace pcl::gpu

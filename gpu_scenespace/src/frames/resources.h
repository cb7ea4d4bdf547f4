// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_resources.h>

namespace pcl::gpu {

/** \brief Those that share the work, one at least. */
std::vector<Device>
devicesOf(const SceneSpaceResources& resources);

/** \brief Bytes of a device's memory that may be used. */
std::size_t
memoryBudget(const SceneSpaceResources& resources, const Device& device);

/** \brief How many threads read frames.
 * \throws pcl::BadArgumentException naming the number if it is negative
 */
int
readingThreads(const SceneSpaceResources& resources);

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_average.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

namespace pcl::gpu {

/** \brief Gives all of an image's parts their size on a device; keeps memory that fits.
 * \param[in] device the current device
 */
inline void
createOn(const Device& device, SceneImage& image, int rows, int columns)
{
  createOn(device, image.color, rows, columns);
  createOn(device, image.depth, rows, columns);
  createOn(device, image.variance, rows, columns);
}

} // namespace pcl::gpu

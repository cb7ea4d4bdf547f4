// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "library/table_task.h"

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

/** \brief Returns the kernels' view of tensors. */
inline device::TensorView
viewOf(const TensorSet& tensors)
{
  return {tensors.frames.ptr(),
          tensors.starts.ptr(),
          tensors.voxels.ptr(),
          tensors.areas.ptr(),
          static_cast<std::uint32_t>(tensors.areas.size())};
}

/** \brief Checks that all arrays of tensors live where their frames do; see
 * checkDevice().
 * \param[in] device of the frames
 */
inline void
checkTensorsDevice(const TensorSet& tensors, const Device& device)
{
  checkDevice("number of tensors", tensors.count, "their frames", device);
  checkDevice("starts of tensors", tensors.starts, "their frames", device);
  checkDevice("voxels of tensors", tensors.voxels, "their frames", device);
  checkDevice("areas of tensors", tensors.areas, "their frames", device);
}

/** \brief Returns the bins that all angles from 0 to pi fall into. */
inline device::AngleBins
angleBins(float width)
{
  // The last bin includes the rounding error of pi.
  const float bins = std::ceil(device::pi / width - 1e-3f);
  return {width, std::max(1, static_cast<int>(bins))};
}

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

#include <cstdint>

// Areas are added up as whole numbers: the sum does not depend on the order.

namespace pcl::device {

/** \brief Whole numbers in one face of a voxel. */
constexpr double area_units = 67108864.0; // 2^26

/** \brief An area as a whole number; at most 32 faces of a voxel, that is, more than any
 * triangle inside it has. */
template <typename Real>
PCL_GPU_HOST_DEVICE std::uint32_t
areaUnits(Real area)
{
  return static_cast<std::uint32_t>(area * Real(area_units) + Real(0.5));
}

PCL_GPU_HOST_DEVICE float
areaOfUnits(std::uint64_t units)
{
  return static_cast<float>(static_cast<double>(units) / area_units);
}

/** \brief Number of voxels of a grid. */
PCL_GPU_HOST_DEVICE int
voxelCount(int grid_size)
{
  return grid_size * grid_size * grid_size;
}

} // namespace pcl::device

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid_lists.hpp"

#include <cuda_runtime_api.h>

namespace pcl::device::cuda {

/** \brief Scratch memory of makeLightGrid(). */
std::size_t
lightGridBytes(std::size_t triangles);

/** \brief The grid that makeLightGrid() leaves in the scratch memory. */
LightGridLists
lightGridIn(void* scratch, std::size_t triangles);

/** \brief Makes the grid of a light.
 * \param[in] light its number in the scene
 * \param[out] counts what is in it; in pinned memory of the host
 */
void
makeLightGrid(const ShadingScene& scene,
              int light,
              void* scratch,
              LightGridCounts* counts,
              cudaStream_t stream);

} // namespace pcl::device::cuda

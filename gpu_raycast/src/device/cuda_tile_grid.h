// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"
#include "tile_grid.hpp"

#include <cuda_runtime_api.h>

namespace pcl::device::cuda {

std::size_t
tileGridScratchBytes(const CastTask& task, const GridLayout& layout);

/** \brief Finds the least key of every pixel, from tiles to triangles. */
void
castTileGrid(const CastTask& task,
             const GridLayout& layout,
             void* scratch,
             cudaStream_t stream);

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"

namespace pcl::device::host {

std::size_t
tileGridScratchBytes(const CastTask& task, const GridLayout& layout);

/** \brief Finds the least key of every pixel, from tiles to triangles. */
void
castTileGrid(const CastTask& task, const GridLayout& layout, void* scratch);

} // namespace pcl::device::host

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/visibility.h"

// Each pixel is tested against the triangles of its tile, in the order of slabs.

namespace pcl::device {

namespace host {

/** \brief Returns the memory that castTileGrid() takes; looks at sizes only. */
CastMemorySize
tileGridMemory(const CastTask& task);

void
castTileGrid(const CastTask& task);

} // namespace host

namespace cuda {

CastMemorySize
tileGridMemory(const CastTask& task);

void
castTileGrid(const CastTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

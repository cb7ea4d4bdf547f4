// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"

#include <cuda_runtime_api.h>

namespace pcl::device::cuda {

std::size_t
visibilityCounters(const CastTask& task);

std::size_t
visibilityScratchBytes(const CastTask& task);

/** \brief Finds the least key of every pixel, from triangles to pixels. */
void
castVisibility(const CastTask& task, void* scratch, cudaStream_t stream);

/** \brief Turns keys into images, and sets them to no_hit. */
void
resolve(const CastTask& task, cudaStream_t stream);

} // namespace pcl::device::cuda

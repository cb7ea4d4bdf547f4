// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "query_driver.h"

#include <cuda_runtime_api.h>

namespace pcl::device::cuda {

// The steps of building a hierarchy on a CUDA device: see RayQueryDriver.

std::size_t
boxCount(const HierarchySize& size);

void
makeKeys(const BuildTask& task, cudaStream_t stream);

void
makeHierarchy(const BuildTask& task,
              const std::uint32_t* sorted_ids,
              cudaStream_t stream);

} // namespace pcl::device::cuda

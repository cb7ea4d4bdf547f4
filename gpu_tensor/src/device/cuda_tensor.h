// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

#include <cuda_runtime_api.h>

// The CUDA device's stages, one file each.

namespace pcl::device::cuda {

ScratchBytes
pairScratchBytes(const PairTask& task);

void
findPairs(const PairTask& task, const ScratchMemory& scratch, cudaStream_t stream);

ScratchBytes
tensorScratchBytes(const TensorTask& task);

void
computeTensors(const TensorTask& task,
               const ScratchMemory& scratch,
               cudaStream_t stream);

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_driver.h"

// The host's stages, one file each.

namespace pcl::device::host {

std::size_t
pairScratchBytes(const PairTask& task);

void
findPairs(const PairTask& task, void* scratch);

std::size_t
tensorScratchBytes(const TensorTask& task);

void
computeTensors(const TensorTask& task, void* scratch);

} // namespace pcl::device::host

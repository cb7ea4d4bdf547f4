// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "likelihood_driver.h"

#include <cuda_runtime_api.h>

// LikelihoodDriver's part that looks at points.

namespace pcl::device::cuda {

void
makeKeys(const ObservationTask& task, cudaStream_t stream);

void
observe(const ObservationTask& task,
        const std::uint32_t* sorted_numbers,
        cudaStream_t stream);

} // namespace pcl::device::cuda

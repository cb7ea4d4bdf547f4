// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/denoising/light_differences.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::SumDifferences);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SmoothDifferences);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::AddDifferences);

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/depth_filling.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::MarkDepth);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::FillDepth);

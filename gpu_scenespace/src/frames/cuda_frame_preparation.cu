// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_preparation.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::MaskDepth);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::DropEdges);

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "projection/color_registration.hpp"
#include "projection/projection.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::DisparityToDepth);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ProjectSampled);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ProjectWithColor);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SplatDepth);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::LookUpColor);

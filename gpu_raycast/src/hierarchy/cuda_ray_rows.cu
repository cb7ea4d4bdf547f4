// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_rows.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::ExpandPoints>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::ExpandRays>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::SplitHits>);

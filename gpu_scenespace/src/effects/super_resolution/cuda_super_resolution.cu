// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/learned_filter.hpp"
#include "effects/super_resolution/super_resolution.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::EnlargeAcross);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::AddEnlargedDown);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::OwnResidual);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::FrameResidual);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SumErrors);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SumLanes);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::BlurAcross);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::EncodeResidual);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::WriteReference);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::AddResidual);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::WriteEstimate);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ReducePicture);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SumTapProducts);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SumGroups);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::EnlargeByFilter);

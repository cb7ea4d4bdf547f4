// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition.hpp"
#include "effects/composition/inpainting.hpp"
#include "effects/composition/mover_layers.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::AddPicture);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::DividePictures);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::FillHoles);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::CopyPicture);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::MarkDifference);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::PlaceKnown);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::PullPixel);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::PushPixel);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::WriteInpainted);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ClearMovers);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::AddMover);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::WriteMovers);

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/even_surface.hpp"
#include "registration/reversed_tensors.hpp"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::NumberCells>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::MarkFirsts>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::MeanPoints>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::StartRows>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::FitNormals>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::ReorderSurface>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::FindPartners>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::ChoosePartners>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::CopyBothSides>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::AddTriangles>);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ElementLoop<pcl::device::AppendReversed>);

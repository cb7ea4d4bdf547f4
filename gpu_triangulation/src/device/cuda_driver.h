// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"

#include <cuda_runtime_api.h>

// The CUDA device's stages, one file each.

namespace pcl::device::cuda {

void
filterAndProject(const DepthInput& input,
                 const FilterParameters* filter,
                 PtrStep<float> filtered,
                 const Intrinsics* camera,
                 PtrStep<Float4> cloud,
                 cudaStream_t stream);

void
estimateNormals(const PtrStepSz<const Float4>& cloud,
                const NormalParameters& parameters,
                PtrStep<Float4> normals,
                cudaStream_t stream);

std::size_t
resolutionScratchBytes(int rows, int columns);

void
measureResolution(const PtrStepSz<const Float4>& cloud,
                  PtrStep<const Float4> normals,
                  int neighbors,
                  void* scratch,
                  ResolutionStatistics* statistics,
                  cudaStream_t stream);

std::size_t
meshScratchBytes(int rows, int columns);

void
triangulate(const PtrStepSz<const Float4>& cloud,
            PtrStep<const Float4> normals,
            const ResolutionStatistics* statistics,
            const MeshParameters& parameters,
            void* scratch,
            PtrStep<std::uint8_t> validity,
            int* indices,
            int* polygon_count,
            cudaStream_t stream);

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"
#include "quads.hpp"

// The host's stages, one file each; every one picks the best SIMD target at run time.

namespace pcl::device::host {

/** \brief Everything that classifying the quads of a frame needs. */
struct QuadTask {
  PtrStepSz<const Float4> cloud;
  PtrStepSz<const Float4> normals;
  MeshParameters parameters;
  EdgeThresholds thresholds;
  PtrStep<std::uint8_t> validity;
};

void
filterAndProject(const DepthInput& input,
                 const FilterParameters* filter,
                 PtrStep<float> filtered,
                 const Intrinsics* camera,
                 PtrStep<Float4> cloud);

void
estimateNormals(const PtrStepSz<const Float4>& cloud,
                const NormalParameters& parameters,
                PtrStep<Float4> normals);

std::size_t
resolutionScratchBytes(int rows, int columns);

void
measureResolution(const PtrStepSz<const Float4>& cloud,
                  PtrStep<const Float4> normals,
                  int neighbors,
                  void* scratch,
                  ResolutionStatistics* statistics);

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
            int* polygon_count);

} // namespace pcl::device::host

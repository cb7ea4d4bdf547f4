// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief A cloud whose normals are to be estimated. */
struct NormalsTask {
  PtrStepSz<const Float4> cloud;
  int radius;
  float max_depth_change_factor; ///< infinity to keep all neighbours
  float viewpoint[3];
  PtrStep<Float4> normals; ///< of the cloud's size, with the curvature
  void* scratch;           ///< of adaptive windows, adaptiveNormalsScratchBytes(), kept
};

namespace host {

void
estimateNormals(const NormalsTask& task);

std::size_t
adaptiveNormalsScratchBytes(const NormalsTask& task);

void
estimateAdaptiveNormals(const NormalsTask& task);

} // namespace host

namespace cuda {

void
estimateNormals(const NormalsTask& task, CUstream_st* stream);

std::size_t
adaptiveNormalsScratchBytes(const NormalsTask& task);

void
estimateAdaptiveNormals(const NormalsTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

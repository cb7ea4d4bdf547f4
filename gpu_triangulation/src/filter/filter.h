// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "projection/depth_input.h"

#include <pcl/gpu/triangulation/depth_bilateral_filter_parameters.h>

struct CUstream_st;

namespace pcl::device {

using gpu::DepthBilateralFilterParameters;

/** \brief A depth map to be filtered and projected in one go. DepthMapProjection is
 * this with the filter switched off. */
struct FilterTask {
  DepthInput input;
  bool is_filtered; ///< else depth is only projected
  DepthBilateralFilterParameters filter;
  PtrStep<float> filtered; ///< null to leave it out
  Intrinsics camera;
  PtrStep<Float4> cloud; ///< null to leave it out
};

namespace host {

void
filterAndProject(const FilterTask& task);

} // namespace host

namespace cuda {

void
filterAndProject(const FilterTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

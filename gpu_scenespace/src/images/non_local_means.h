// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

struct CUstream_st;

namespace pcl::device {

constexpr int max_patch_reach = 3, max_search_reach = 10;

/** \brief Variances that count, levels^2: 1/12 is that of rounding to whole levels. */
constexpr float min_variance = 1.0f / 12.0f, max_variance = 1e6f;

/** \brief An image to remove noise from. */
struct NonLocalMeansTask {
  PtrStepSz<const PackedColor> color;
  PtrStep<const float> variance; ///< levels^2; null where all pixels have the same
  PtrStep<PackedColor> output;
  int patch_reach, search_reach; ///< pixels
  /** \brief log2 of a weight is slope times the patch's sum plus offset, but not above
   * 0. */
  float slope, offset;
};

namespace host {

void
removeNoise(const NonLocalMeansTask& task);

} // namespace host

namespace cuda {

void
removeNoise(const NonLocalMeansTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

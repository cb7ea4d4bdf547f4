// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/statistics.h>

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

using gpu::ResolutionStatistics;

/** \brief Memory that a run needs in addition to its input and output. */
struct ScratchBytes {
  std::size_t kept;  ///< zero before the first run of a size, then kept from run to run
  std::size_t loose; ///< of any contents
};

struct ScratchMemory {
  void* kept;
  void* loose;
};

} // namespace pcl::device

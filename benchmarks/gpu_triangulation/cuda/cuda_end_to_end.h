// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "cuda_stages.h"

#include <string>
#include <vector>

namespace benchmarks {

/** \brief A named time. */
struct NamedTime {
  std::string name;
  Sample time;
};

/** \brief Times the way from depth in page-locked host memory to results in page-locked
 * host memory, and the parts of that way.
 * \param[in] stages a depth map that is ready to run
 * \param[in] depth the same on the host
 * \param[in] stream the stream of \a stages
 * \param[in] timer the timer of that stream
 */
std::vector<NamedTime>
timeEndToEnd(TriangulationStages& stages,
             const RawDepth& depth,
             const pcl::gpu::Stream& stream,
             const CudaTimer& timer);

} // namespace benchmarks

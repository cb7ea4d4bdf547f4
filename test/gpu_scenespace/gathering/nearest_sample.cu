// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_scenespace/gathering/nearest_sample.hpp"

namespace pcl::gpu::test {

void
filterOnCuda(const device::SampleSetsView& sets,
             const NearestSample& filter,
             CUstream_st* stream)
{
  device::forEachSampleSet(device::CudaExecutor{stream}, sets, filter);
}

} // namespace pcl::gpu::test

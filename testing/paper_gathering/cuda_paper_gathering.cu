// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/cuda_volume_passes.cuh"
#include "testing/paper_gathering/paper_passes.hpp"

namespace pcl::device::cuda {

void
testAllPixels(const VolumeTask& task, cudaStream_t stream)
{
  passOverFrames<TestAllPixels>("testAllPixels", task, ForEachPixel{stream});
}

void
testHulls(const VolumeTask& task, cudaStream_t stream)
{
  boundFrames(task, stream);
  passOverFrames<TestHulls>("testHulls", task, ForEachPixel{stream});
}

} // namespace pcl::device::cuda

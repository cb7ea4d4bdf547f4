// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/cuda_block_group.cuh"
#include "verification/pose_verification.hpp"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

/** \brief Refines and judges the poses that are given; a block has one. */
__global__ void
__launch_bounds__(candidate_threads)
    verificationKernel(const __grid_constant__ VerificationTask task)
{
  __shared__ float partial[candidate_threads / warp_size * BlockGroup::max_sums];
  waitForPreviousKernel();
  const PoseFit fit = verifiedPose(BlockGroup(partial), task, blockIdx.x);
  if (threadIdx.x == 0)
    task.fits[blockIdx.x] = fit;
}

} // namespace

void
verify(const VerificationTask& task, cudaStream_t stream)
{
  launchOverlapping("verificationKernel", task.count, candidate_threads, stream)(
      verificationKernel, task);
}

} // namespace pcl::device::cuda

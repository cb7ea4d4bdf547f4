// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/cuda_block_group.cuh"
#include "registration/alignment_search.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int block_threads = candidate_threads;
/** \brief Threads that rank or move a hypothesis. */
constexpr int ranking_threads = 64;

__global__ void
__launch_bounds__(block_threads) clearKernel(const __grid_constant__ GridTask task)
{
  const std::size_t cell = std::size_t(blockIdx.x) * block_threads + threadIdx.x;
  waitForPreviousKernel();
  if (cell < task.grid.cells())
    task.keys[cell] = no_point;
}

/** \brief Offers points to cells; a thread has a point and a layer. */
__global__ void
__launch_bounds__(block_threads) offerKernel(const __grid_constant__ GridTask task)
{
  const int point = blockIdx.x * block_threads + threadIdx.x;
  const int layer = static_cast<int>(blockIdx.y) - task.reach;
  waitForPreviousKernel();
  if (point >= task.count)
    return;
  const auto offer = [&](std::size_t cell, std::uint64_t key) {
    atomicMin(reinterpret_cast<unsigned long long*>(task.keys) + cell,
              static_cast<unsigned long long>(key));
  };
  offerPoint(task, point, layer, 0, task.grid.size[2] - 1, offer);
}

__global__ void
__launch_bounds__(block_threads) nearestKernel(const __grid_constant__ GridTask task)
{
  const std::size_t cell = std::size_t(blockIdx.x) * block_threads + threadIdx.x;
  waitForPreviousKernel();
  if (cell < task.grid.cells())
    task.nearest[cell] = pointOfKey(task.keys[cell]);
}

/** \brief Makes hypotheses and ranks them; a block has one. */
__global__ void
__launch_bounds__(ranking_threads)
    rankKernel(const __grid_constant__ PoseTask<RankedPose> task)
{
  __shared__ float partial[ranking_threads / warp_size * BlockGroup::max_sums];
  waitForPreviousKernel();
  const RankedPose pose = rankedHypothesis(BlockGroup(partial), task, blockIdx.x);
  if (threadIdx.x == 0)
    task.poses[blockIdx.x] = pose;
}

/** \brief Moves hypotheses and ranks them again; a block has one. */
__global__ void
__launch_bounds__(ranking_threads)
    captureKernel(const __grid_constant__ PoseTask<RankedPose> task)
{
  __shared__ float partial[ranking_threads / warp_size * BlockGroup::max_sums];
  waitForPreviousKernel();
  const RankedPose pose =
      capturedPose(BlockGroup(partial), task, task.poses[blockIdx.x]);
  if (threadIdx.x == 0)
    task.poses[blockIdx.x] = pose;
}

/** \brief Moves poses to their places and judges them; a block has one. */
__global__ void
__launch_bounds__(block_threads)
    judgementKernel(const __grid_constant__ PoseTask<JudgedPose> task)
{
  __shared__ float partial[block_threads / warp_size * BlockGroup::max_sums];
  waitForPreviousKernel();
  const JudgedPose pose =
      judgedPose(BlockGroup(partial), task, task.poses[blockIdx.x].pose);
  if (threadIdx.x == 0)
    task.poses[blockIdx.x] = pose;
}

} // namespace

void
fillGrid(const GridTask& task, cudaStream_t stream)
{
  const auto launch = [&](const char* name, auto kernel, const dim3& blocks) {
    launchOverlapping(name, blocks, block_threads, stream)(kernel, task);
  };
  const dim3 cells((task.grid.cells() + block_threads - 1) / block_threads);
  launch("clearKernel", clearKernel, cells);
  if (task.count > 0)
    launch("offerKernel",
           offerKernel,
           dim3(divideUp(task.count, block_threads), 2 * task.reach + 1));
  launch("nearestKernel", nearestKernel, cells);
}

void
rankPoses(const PoseTask<RankedPose>& task, cudaStream_t stream)
{
  if (task.count > 0)
    launchOverlapping("rankKernel", task.count, ranking_threads, stream)(rankKernel,
                                                                         task);
}

void
capturePoses(const PoseTask<RankedPose>& task, cudaStream_t stream)
{
  if (task.count > 0)
    launchOverlapping("captureKernel", task.count, ranking_threads, stream)(
        captureKernel, task);
}

void
judgePoses(const PoseTask<JudgedPose>& task, cudaStream_t stream)
{
  if (task.count > 0)
    launchOverlapping("judgementKernel", task.count, block_threads, stream)(
        judgementKernel, task);
}

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition/object_choice.hpp"
#include "recognition/pose_grouping.hpp"
#include "verification/cuda_block_group.cuh"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

constexpr int block_threads = candidate_threads;
constexpr int block_warps = block_threads / warp_size;
/** \brief Blocks that claim the pixels of an object. */
constexpr int blocks_per_object = 16;

/** \brief Makes hypotheses, and clears counters of later kernels. */
__global__ void
__launch_bounds__(block_threads)
    hypothesisKernel(const __grid_constant__ RecognitionTask task,
                     const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_threads + threadIdx.x;
  waitForPreviousKernel();
  if (i == 0)
    *scratch.candidate_count = 0;
  if (i < task.hypotheses())
    makeHypothesis(task, i, scratch);
  if (i < task.verification.scene.cloud.rows * task.verification.scene.cloud.cols) {
    scratch.claimed[i] = 0;
    if (task.pixel_objects.data)
      scratch.claims[i] = no_claim;
  }
}

/** \brief Sums the support of hypotheses; a warp has one. */
__global__ void
__launch_bounds__(block_threads)
    supportKernel(const __grid_constant__ RecognitionTask task,
                  const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  waitForPreviousKernel();
  if (i >= task.hypotheses())
    return;
  unsigned long long support = 0;
  if (scratch.weights[i] > 0) {
    const ModelPose pose = scratch.poses[i];
    const int tensors = task.tensors();
    for (int tensor = threadIdx.x % warp_size; tensor < tensors; tensor += warp_size)
      support += agreeingWeight(task, scratch, pose, tensor);
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      support += __shfl_xor_sync(all_lanes, support, distance);
  }
  if (threadIdx.x % warp_size == 0)
    scratch.support[i] = support;
}

/** \brief Finds the hypotheses that have the most support around; a warp has one. */
__global__ void
__launch_bounds__(block_threads)
    peakKernel(const __grid_constant__ RecognitionTask task,
               const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  waitForPreviousKernel();
  if (i >= task.hypotheses())
    return;
  bool is_peak = scratch.weights[i] > 0;
  if (is_peak) {
    bool overshadowed = false;
    for (int j = threadIdx.x % warp_size; j < task.hypotheses(); j += warp_size)
      overshadowed = overshadowed || overshadows(task, scratch, j, i);
    is_peak = !__any_sync(all_lanes, overshadowed);
  }
  if (threadIdx.x % warp_size == 0)
    scratch.is_peak[i] = is_peak;
}

/** \brief Puts the peaks of most support in their order; a warp has a hypothesis. */
__global__ void
__launch_bounds__(block_threads)
    candidateKernel(const __grid_constant__ RecognitionTask task,
                    const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  waitForPreviousKernel();
  if (i >= task.hypotheses() || scratch.is_peak[i] == 0)
    return;
  int place = 0;
  for (int j = threadIdx.x % warp_size; j < task.hypotheses(); j += warp_size)
    if (scratch.is_peak[j] != 0 && hasMoreSupport(scratch, j, i))
      ++place;
  place = sumOverWarp(place);
  if (threadIdx.x % warp_size != 0 || place >= task.parameters.max_candidates)
    return;
  PoseCandidate candidate{};
  candidate.grouped = scratch.poses[i];
  candidate.weight = scratch.support[i];
  scratch.candidates[place] = candidate;
  atomicAdd(scratch.candidate_count, 1);
}

/** \brief Groups, refines and judges candidates; a block has one. */
__global__ void
__launch_bounds__(block_threads)
    refinementKernel(const __grid_constant__ RecognitionTask task,
                     const __grid_constant__ RecognitionScratch scratch)
{
  __shared__ float partial[block_warps * BlockGroup::max_sums];
  const int i = blockIdx.x;
  waitForPreviousKernel();
  if (i >= *scratch.candidate_count)
    return;
  const PoseCandidate candidate =
      judgedCandidate(BlockGroup(partial), task, scratch, i);
  if (threadIdx.x == 0)
    scratch.candidates[i] = candidate;
}

__global__ void
__launch_bounds__(block_threads)
    choiceKernel(const __grid_constant__ RecognitionTask task,
                 const __grid_constant__ RecognitionScratch scratch)
{
  __shared__ float partial[block_warps * BlockGroup::max_sums];
  waitForPreviousKernel();
  chooseObjects(BlockGroup(partial), task, scratch);
}

/** \brief Claims the pixels of objects; a block has a candidate that may have become
 * one. */
__global__ void
__launch_bounds__(block_threads)
    claimKernel(const __grid_constant__ RecognitionTask task,
                const __grid_constant__ RecognitionScratch scratch)
{
  __shared__ float partial[block_warps * BlockGroup::max_sums];
  const int object = blockIdx.x;
  waitForPreviousKernel();
  if (object >= *task.object_count)
    return;
  // A warp has a point.
  const int warp = blockIdx.y * block_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const Share points = {warp, static_cast<int>(gridDim.y) * block_warps};
  const auto claim = [&](int pixel, std::uint64_t own) {
    atomicMin(reinterpret_cast<unsigned long long*>(scratch.claims) + pixel,
              static_cast<unsigned long long>(own));
  };
  claimObject(
      BlockGroup(partial), task, scratch, object, points, {lane, warp_size}, claim);
}

__global__ void
__launch_bounds__(block_threads)
    pixelKernel(const __grid_constant__ RecognitionTask task,
                const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_threads + threadIdx.x;
  waitForPreviousKernel();
  const int columns = task.verification.scene.cloud.cols;
  if (i >= task.verification.scene.cloud.rows * columns)
    return;
  PtrStep<int> objects = task.pixel_objects;
  objects.ptr(i / columns)[i % columns] = objectOf(scratch.claims[i]);
}

} // namespace

void
recognize(const RecognitionTask& task, cudaStream_t stream)
{
  const RecognitionScratch scratch(task, task.scratch);
  const auto launch = [&](const char* name, auto kernel, dim3 grid) {
    launchOverlapping(name, grid, block_threads, stream)(kernel, task, scratch);
  };
  const int hypotheses = task.hypotheses();
  const int columns = task.verification.scene.cloud.cols,
            rows = task.verification.scene.cloud.rows;
  const dim3 a_thread_each(
      divideUp(std::max({hypotheses, columns * rows, 1}), block_threads));
  const dim3 a_warp_each(std::max(1, divideUp(hypotheses, block_warps)));
  launch("hypothesisKernel", hypothesisKernel, a_thread_each);
  launch("supportKernel", supportKernel, a_warp_each);
  launch("peakKernel", peakKernel, a_warp_each);
  launch("candidateKernel", candidateKernel, a_warp_each);
  launch("refinementKernel", refinementKernel, dim3(task.parameters.max_candidates));
  launch("choiceKernel", choiceKernel, dim3(1));
  if (!task.pixel_objects.data || columns == 0 || rows == 0)
    return;
  launch("claimKernel",
         claimKernel,
         dim3(task.parameters.max_candidates, blocks_per_object));
  launch("pixelKernel", pixelKernel, dim3(divideUp(columns * rows, block_threads)));
}

} // namespace pcl::device::cuda

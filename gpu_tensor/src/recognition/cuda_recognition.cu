// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/cuda_block_group.cuh"
#include "recognition/object_choice.hpp"
#include "recognition/plane_extent.hpp"
#include "recognition/pose_search.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

constexpr int block_threads = candidate_threads;
constexpr int block_warps = block_threads / warp_size;
/** \brief Threads that move a hypothesis. */
constexpr int moving_threads = 64;
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
  if (i < task.hypotheses())
    makeHypothesis(task, i, scratch);
  if (i < task.input.scene.cloud.rows * task.input.scene.cloud.cols) {
    scratch.claimed[i] = 0;
    if (task.pixel_objects.data)
      scratch.claims[i] = no_claim;
  }
}

/** \brief Measures how far planes go on; a thread has a direction of a pixel. */
__global__ void
__launch_bounds__(block_threads)
    extentKernel(const __grid_constant__ RecognitionTask task,
                 const __grid_constant__ RecognitionScratch scratch)
{
  const PixelGrid grid(task.input.scene);
  const int thread = blockIdx.x * block_threads + threadIdx.x;
  const int pixel = thread / plane_directions, direction = thread % plane_directions;
  waitForPreviousKernel();
  float reach = 0.0f;
  if (pixel < grid.columns * grid.rows)
    reach = planeReach(task.input.scene,
                       task.parameters.deviation,
                       grid,
                       pixel % grid.columns,
                       pixel / grid.columns,
                       direction);
  // Both ways along a line, and then the longest line.
  reach += __shfl_xor_sync(all_lanes, reach, plane_directions / 2);
  for (int distance = plane_directions / 4; distance > 0; distance /= 2)
    reach = fmaxf(reach, __shfl_xor_sync(all_lanes, reach, distance));
  if (direction == 0 && pixel < grid.columns * grid.rows)
    scratch.extents[pixel] = reach;
}

/** \brief Ranks hypotheses; a block of one warp has one. */
__global__ void
__launch_bounds__(warp_size)
    rankKernel(const __grid_constant__ RecognitionTask task,
               const __grid_constant__ RecognitionScratch scratch)
{
  __shared__ float partial[BlockGroup::max_sums];
  waitForPreviousKernel();
  rankHypothesis(BlockGroup(partial), task, scratch, blockIdx.x);
}

/** \brief Moves hypotheses of the best ranks; a block has one.
 * \param[in] order hypotheses, by their ranks
 */
__global__ void
__launch_bounds__(moving_threads)
    moveKernel(const __grid_constant__ RecognitionTask task,
               const __grid_constant__ RecognitionScratch scratch,
               const std::uint32_t* order)
{
  __shared__ float partial[moving_threads / warp_size * BlockGroup::max_sums];
  waitForPreviousKernel();
  moveHypothesis(BlockGroup(partial),
                 task,
                 scratch,
                 blockIdx.x,
                 static_cast<int>(order[blockIdx.x]));
}

/** \brief Finds moved poses that are better than all others nearby; a warp has one. */
__global__ void
__launch_bounds__(block_threads)
    peakKernel(const __grid_constant__ RecognitionTask task,
               const __grid_constant__ RecognitionScratch scratch)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  waitForPreviousKernel();
  if (i >= task.moved())
    return;
  bool is_peak = scratch.scores[scratch.moved[i].hypothesis] > 0.0f;
  if (is_peak) {
    bool overshadowed = false;
    for (int j = threadIdx.x % warp_size; j < task.moved(); j += warp_size)
      overshadowed = overshadowed || overshadows(task, scratch, j, i);
    is_peak = !__any_sync(all_lanes, overshadowed);
  }
  if (threadIdx.x % warp_size == 0)
    scratch.is_peak[i] = is_peak;
}

/** \brief Makes the first peaks candidates; one block.
 * \param[in] order moved poses, by their ranks
 */
__global__ void
__launch_bounds__(block_threads)
    candidateKernel(const __grid_constant__ RecognitionTask task,
                    const __grid_constant__ RecognitionScratch scratch,
                    const std::uint32_t* order)
{
  __shared__ int peaks[block_warps];
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  int before = 0;
  for (int first = 0; first < task.moved(); first += block_threads) {
    const int i = first + threadIdx.x;
    const bool is_peak = i < task.moved() && scratch.is_peak[order[i]] != 0;
    const unsigned int of_warp = __ballot_sync(all_lanes, is_peak);
    if (lane == 0)
      peaks[warp] = __popc(of_warp);
    __syncthreads();
    int place = before + __popc(of_warp & ((1u << lane) - 1u));
    for (int other = 0; other < block_warps; ++other) {
      place += other < warp ? peaks[other] : 0;
      before += peaks[other];
    }
    if (is_peak && place < task.parameters.max_candidates)
      scratch.candidates[place] = candidateOf(scratch, order[i]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *scratch.candidate_count = min(before, task.parameters.max_candidates);
}

/** \brief Refines and judges candidates; a block has one. */
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
  const int columns = task.input.scene.cloud.cols;
  if (i >= task.input.scene.cloud.rows * columns)
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
  const int hypotheses = task.hypotheses(), moved = task.moved();
  const int columns = task.input.scene.cloud.cols, rows = task.input.scene.cloud.rows;
  launch("hypothesisKernel",
         hypothesisKernel,
         dim3(divideUp(std::max({hypotheses, columns * rows, 1}), block_threads)));
  const PixelGrid grid(task.input.scene);
  const int lines = grid.columns * grid.rows * plane_directions;
  if (lines > 0)
    launch("extentKernel", extentKernel, dim3(divideUp(lines, block_threads)));
  const std::uint32_t* order = nullptr;
  if (hypotheses > 0) {
    launchOverlapping("rankKernel", hypotheses, warp_size, stream)(
        rankKernel, task, scratch);
    order = sortByKeys(scratch.hypotheses, stream);
    launchOverlapping("moveKernel", moved, moving_threads, stream)(
        moveKernel, task, scratch, order);
    order = sortByKeys(scratch.moved_ranks, stream);
    launchOverlapping("peakKernel",
                      divideUp(moved, block_warps),
                      block_threads,
                      stream)(peakKernel, task, scratch);
  }
  launchOverlapping("candidateKernel", 1, block_threads, stream)(
      candidateKernel, task, scratch, order);
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

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/collaborative-inl.h"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::device {

namespace {

/** \brief Warps of a block of threads; each filters a block of pixels. */
constexpr int filter_warps = 4;

constexpr int most_offsets = (2 * max_group_reach + 1) * (2 * max_group_reach + 1);
/** \brief Blocks that a lane compares with. */
constexpr int lane_offsets = (most_offsets + warp_size - 1) / warp_size;
/** \brief Pixels of a block that a lane has. */
constexpr int lane_pixels = block_size / warp_size;

/** \brief The numbers of a column of a block in shared memory. */
struct SharedColumn {
  const float* first;

  __device__ float
  operator()(int i) const
  {
    return first[i * block_side];
  }
};

/** \brief A warp that filters a block of pixels. All of its lanes call each method. */
class WarpBlock {
public:
  /** \brief Shared memory of a warp. */
  struct Memory {
    float sums[block_size], differences[block_size], turned[block_size];
  };

  __device__
  WarpBlock(const BlockGroupTask& task,
            const float* cosines,
            Memory& memory,
            int column,
            int row)
  : task_(task)
  , cosines_(cosines)
  , memory_(memory)
  , lane_(threadIdx.x)
  , column_(column)
  , row_(row)
  , own_(row * task.grid.columns + column)
  {}

  __device__ void
  findGroup()
  {
    float distances[lane_offsets];
    const int side = 2 * task_.search_reach + 1;
#pragma unroll
    for (int i = 0; i < lane_offsets; ++i) {
      const int offset = lane_ + i * warp_size;
      distances[i] = offset < side * side ? distanceTo(offset) : INFINITY;
    }
    for (size_ = 0; size_ < task_.group_size; ++size_) {
      float least = INFINITY;
      int offset = most_offsets;
#pragma unroll
      for (int i = 0; i < lane_offsets; ++i)
        if (distances[i] < least) {
          least = distances[i];
          offset = lane_ + i * warp_size;
        }
        // The first one of those that are as near.
#pragma unroll
      for (int step = warp_size / 2; step > 0; step /= 2) {
        const float other = __shfl_xor_sync(all_lanes, least, step);
        const int other_offset = __shfl_xor_sync(all_lanes, offset, step);
        if (other < least || (other == least && other_offset < offset)) {
          least = other;
          offset = other_offset;
        }
      }
      if (offset == most_offsets)
        break;
#pragma unroll
      for (int i = 0; i < lane_offsets; ++i)
        if (offset == lane_ + i * warp_size)
          distances[i] = INFINITY;
      if (lane_ == size_)
        place_ = placeOf(offset);
    }
  }

  __device__ void
  filter(BlockEstimate& block)
  {
    float variances = 0.0f;
    for (int i = 0; i < size_; ++i)
      variances += task_.variances[__shfl_sync(all_lanes, place_, i)];
    for (int plane = 0; plane < plane_count; ++plane) {
      addBlocks(task_.planes[plane]);
      transform(memory_.sums);
      transform(memory_.differences);
      const CoefficientLimits limits =
          limitsOf(task_, plane, size_, variances, task_.variances[own_]);
      const float weight = keep(limits);
      transformColumns(memory_.sums, 1, block_side, true, memory_.turned);
      transformColumns(memory_.turned, 1, block_side, false, block.levels[plane]);
      if (lane_ == 0)
        block.weights[plane] = weight;
    }
  }

private:
  __device__ int
  placeOf(int offset) const
  {
    const int side = 2 * task_.search_reach + 1;
    return own_ + (offset / side - task_.search_reach) * task_.grid.columns +
           offset % side - task_.search_reach;
  }

  /** \brief The distance of the block at an offset; infinite if there is none. */
  __device__ float
  distanceTo(int offset) const
  {
    const BlockGrid& grid = task_.grid;
    const int side = 2 * task_.search_reach + 1;
    const int x = column_ + offset % side - task_.search_reach,
              y = row_ + offset / side - task_.search_reach;
    if (x < 0 || y < 0 || x > grid.columns - block_side || y > grid.rows - block_side)
      return INFINITY;
    if (x == column_ && y == row_)
      return own_distance;
    const int other = placeOf(offset);
    // As the host does: sums of columns, which are exact, and then their sum.
    float sum = 0.0f;
    for (int k = 0; k < block_side; ++k) {
      float column_sum = 0.0f;
#pragma unroll
      for (int i = 0; i < block_side; ++i) {
        const int pixel = i * grid.columns + k;
        const float difference =
            task_.compared[own_ + pixel] - task_.compared[other + pixel];
        column_sum += difference * difference;
      }
      sum = k == 0 ? column_sum : sum + column_sum;
    }
    return sum / (task_.variances[own_] + task_.variances[other]);
  }

  __device__ void
  addBlocks(const float* plane)
  {
    float sums[lane_pixels] = {};
    for (int i = 0; i < size_; ++i) {
      const int place = __shfl_sync(all_lanes, place_, i);
#pragma unroll
      for (int k = 0; k < lane_pixels; ++k)
        sums[k] += plane[place + pixelOf(k)];
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < lane_pixels; ++k) {
      const int number = lane_ + k * warp_size;
      memory_.sums[number] = sums[k];
      memory_.differences[number] =
          static_cast<float>(size_) * plane[own_ + pixelOf(k)] - sums[k];
    }
    __syncwarp();
  }

  /** \brief The place of a lane's pixel, from the block's first pixel. */
  __device__ int
  pixelOf(int k) const
  {
    const int number = lane_ + k * warp_size;
    return number / block_side * task_.grid.columns + number % block_side;
  }

  /** \brief Transforms the columns of a block; see the host's. */
  __device__ void
  transformColumns(
      const float* from, int step, int distance, bool is_turned, float* to) const
  {
#pragma unroll
    for (int k = 0; k < lane_pixels; ++k) {
      const int number = lane_ + k * warp_size;
      const int y = number / block_side, x = number % block_side;
      to[is_turned ? x * block_side + y : number] =
          transformed<float>(cosines_ + y * step, distance, SharedColumn{from + x});
    }
    __syncwarp();
  }

  __device__ void
  transform(float* block)
  {
    transformColumns(block, block_side, 1, true, memory_.turned);
    transformColumns(memory_.turned, block_side, 1, false, block);
  }

  __device__ float
  keep(const CoefficientLimits& limits)
  {
    const float inverse_size = 1.0f / static_cast<float>(size_);
    int kept_sums = 0, kept_differences = 0;
#pragma unroll
    for (int k = 0; k < lane_pixels; ++k) {
      const int number = lane_ + k * warp_size;
      const float sum = memory_.sums[number], difference = memory_.differences[number];
      kept_sums += isKept(sum, limits.sum);
      kept_differences += isKept(difference, limits.difference);
      memory_.sums[number] = keptCoefficient(sum, difference, limits, inverse_size);
    }
    __syncwarp();
    return weightOfBlock(sumOverWarp(kept_sums), sumOverWarp(kept_differences), size_);
  }

  const BlockGroupTask& task_;
  const float* cosines_;
  Memory& memory_;
  int lane_, column_, row_, own_;
  int size_ = 0;  ///< of the group
  int place_ = 0; ///< of the group's block that has the lane's number
};

__global__ void
__launch_bounds__(filter_warps* warp_size)
    filterBlocksKernel(const __grid_constant__ BlockGroupTask task)
{
  __shared__ float cosines[block_size];
  __shared__ WarpBlock::Memory memory[filter_warps];
  const int lane = threadIdx.x, warp = threadIdx.y;
  for (int i = warp * warp_size + lane; i < block_size; i += filter_warps * warp_size)
    cosines[i] = task.cosines[i];
  __syncthreads();
  const int i = blockIdx.x * filter_warps + warp, j = blockIdx.y;
  const BlockGrid& grid = task.grid;
  if (i >= grid.across)
    return;
  WarpBlock block(task,
                  cosines,
                  memory[warp],
                  BlockGrid::firstOf(i, grid.columns),
                  BlockGrid::firstOf(j, grid.rows));
  block.findGroup();
  block.filter(task.blocks[static_cast<std::size_t>(j) * grid.across + i]);
}

} // namespace

void
cuda::filterBlocks(const BlockGroupTask& task, cudaStream_t stream)
{
  const dim3 block(warp_size, filter_warps);
  const dim3 grid(divideUp(task.grid.across, filter_warps), task.grid.down);
  filterBlocksKernel<<<grid, block, 0, stream>>>(task);
  checkLaunch("filterBlocks");
}

} // namespace pcl::device

PCL_GPU_INSTANTIATE_LOOP(pcl::device::CopyBrightness);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::SplitPlanes);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::MeanVariances);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::MergeBlocks);

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/table_task.h"
#include "matching/cuda_coarse_tensors.cuh"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::FindBin);

namespace pcl::device::cuda {

namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;

/** \brief Copies tensors to their places in a table; a warp has a tensor. */
__global__ void
gatherKernel(const __grid_constant__ TableTask task)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (i >= task.count)
    return;
  const std::uint32_t from = task.places[i];
  if (lane == 0) {
    task.frames[i] = task.from.frames[from];
    task.labels[i] = task.from_labels[from];
  }
  const std::uint32_t begin = task.from.start(from), to = task.starts[i];
  const std::uint32_t count = task.from.start(from + 1) - begin;
  std::uint32_t* const bits = task.occupancy + std::size_t(i) * task.words;
  for (std::uint32_t k = lane; k < count; k += warp_size) {
    const std::uint16_t voxel = task.from.voxels[begin + k];
    task.voxels[to + k] = voxel;
    task.areas[to + k] = task.from.areas[begin + k];
    atomicOr(bits + voxel / 32, 1u << (voxel % 32));
  }
}

/** \brief Makes a coarse table; a warp has a tensor. */
__global__ void
__launch_bounds__(block_threads)
    coarseTableKernel(TensorView table, int count, CoarseTable coarse)
{
  __shared__ std::uint32_t grids[block_warps][coarse_grid_words];
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  const int tensor = blockIdx.x * block_warps + warp;
  if (tensor >= count)
    return;
  std::uint32_t* const grid = grids[warp];
  const float error = coarsen(table, tensor, grid);
  // There is room for one word an entry.
  const std::uint32_t first = table.start(tensor) / coarse_step + tensor;
  std::uint32_t* const areas =
      reinterpret_cast<std::uint32_t*>(coarse.areas + first * coarse_group_lanes);
  std::uint16_t* const offsets =
      reinterpret_cast<std::uint16_t*>(coarse.offsets + first * coarse_group_lanes);
  const auto setWord = [&](int i, std::uint32_t word, int number) {
    const int place = i % coarse_step;
    const int to = i - place + place % coarse_group_lanes * coarse_lane_words +
                   place / coarse_group_lanes;
    areas[to] = word;
    offsets[to] = static_cast<std::uint16_t>(number * sizeof(word));
  };
  int words = 0;
  for (int i = lane; i < coarse_grid_words; i += warp_size) {
    const unsigned int lanes = __ballot_sync(all_lanes, grid[i] != 0);
    if (grid[i] != 0)
      setWord(words + lanesBefore(lanes, lane), grid[i], i);
    words += __popc(lanes);
  }
  // Words of 0 fill up the last step: they have nothing in common with any.
  const int steps = divideUp(words, coarse_step);
  if (words + lane < steps * coarse_step)
    setWord(words + lane, 0, 0);
  if (lane == 0)
    coarse.tensors[tensor] = {first, steps, table.entryCount(tensor), error};
}

} // namespace

std::size_t
coarseTableBytes(int tensors, std::uint32_t entries)
{
  return CoarseTable(tensors, entries, nullptr).bytes;
}

void
gatherTensors(const TableTask& task, cudaStream_t stream)
{
  if (task.words > 0)
    checkCuda(
        cudaMemsetAsync(
            task.occupancy, 0, sizeof(std::uint32_t) * task.count * task.words, stream),
        "clearing occupancy");
  gatherKernel<<<divideUp(task.count, block_warps), block_threads, 0, stream>>>(task);
  checkLaunch("gatherKernel");
  if (task.coarse) {
    coarseTableKernel<<<divideUp(task.count, block_warps), block_threads, 0, stream>>>(
        TensorView{task.frames, task.starts, task.voxels, task.areas, task.entries},
        task.count,
        CoarseTable(task.count, task.entries, task.coarse));
    checkLaunch("coarseTableKernel");
  }
}

} // namespace pcl::device::cuda

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/cuda_tile_samples.cuh"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl::device {

/** \brief Shared memory of a block of threads. */
template <typename Consumer>
struct GatherMemory {
  typename Consumer::Samples::Memory tile;
  typename Consumer::Memory consumer;
};

template <typename Consumer, typename Task>
__global__ void
__launch_bounds__(Consumer::Samples::threads, 1024 / Consumer::Samples::threads)
    gatherKernel(const __grid_constant__ Task task, const std::uint32_t* tile_order)
{
  extern __shared__ __align__(16) unsigned char shared[];
  auto& memory = *reinterpret_cast<GatherMemory<Consumer>*>(shared);
  const GatheringTask& gathering = task.gathering;
  const int tile = tile_order[blockIdx.x];
  const int tile_x = gathering.tiles.x0 + tile % gathering.tiles.columns;
  const int tile_y = gathering.tiles.y0 + tile / gathering.tiles.columns;
  Consumer consumer(task, memory.consumer, tile_x, tile_y);
  typename Consumer::Samples(gathering, memory.tile, tile_x, tile_y).gather(consumer);
  consumer.write();
}

/** \brief True if every GPU has the shared memory of a block of threads: Turing has 64
 * KiB. */
template <typename Consumer>
constexpr bool fits_every_gpu = sizeof(GatherMemory<Consumer>) <= 64 * 1024;

/** \brief Returns whether the current device has it. */
template <typename Consumer>
bool
fitsDevice()
{
  int device = 0, bytes = 0;
  checkCuda(cudaGetDevice(&device), "asking for the device");
  checkCuda(
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
      "asking how much shared memory there is");
  return sizeof(GatherMemory<Consumer>) <= static_cast<std::size_t>(bytes);
}

/** \brief Passes all samples of each tile to its consumer.
 * \tparam Consumer for footprints of so many pixels, or 0 for any
 */
template <template <int> class Consumer, typename Task>
void
gather(const char* name, const Task& task, cudaStream_t stream)
{
  constexpr int threads = Consumer<0>::Samples::threads;
  static_assert(Consumer<3>::Samples::threads == threads, "a tile has its threads");
  const std::uint32_t* const order = cuda::boundTiles(task.gathering, stream);
  const bool is_usual = task.gathering.view.footprint == 3;
  const auto kernel =
      is_usual ? gatherKernel<Consumer<3>, Task> : gatherKernel<Consumer<0>, Task>;
  const int bytes =
      is_usual ? sizeof(GatherMemory<Consumer<3>>) : sizeof(GatherMemory<Consumer<0>>);
  checkCuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "asking for shared memory");
  const TileArea& area = task.gathering.tiles;
  kernel<<<area.columns * area.rows, threads, bytes, stream>>>(task, order);
  checkLaunch(name);
}

} // namespace pcl::device

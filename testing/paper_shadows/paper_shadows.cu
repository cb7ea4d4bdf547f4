// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/paper_shadows/paper_shadows.h"

#include "hierarchy/ray_trace.hpp"
#include "tile_grid/cuda_tile_grid.cuh"
#include "tile_grid/tile_grid.h"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/device/device_segmented_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

namespace pcl::gpu::test {

using device::checkCuda;

namespace {

constexpr int threads = 128;

__global__ void
writeStarts(const unsigned int* tile_ends,
            int tiles,
            unsigned int capacity,
            unsigned int* starts)
{
  const int tile = blockIdx.x * threads + threadIdx.x;
  if (tile <= tiles)
    starts[tile] = tile > 0 ? min(tile_ends[tile - 1], capacity) : 0u;
}

struct LongestSide {
  ShadowGrid grid;
  device::WorldTriangles in_camera;

  __host__ __device__ float
  operator()(std::uint32_t id) const
  {
    return longestSide(grid.world, in_camera, grid.camera, grid.layout, id);
  }
};

/** \brief Lets rays go on through a hierarchy, and remembers that one did. */
struct ThroughHierarchy {
  const device::Hierarchy& hierarchy;
  bool& went_on;

  PCL_GPU_HOST_DEVICE bool
  operator()(const device::Ray& ray) const
  {
    went_on = true;
    return anyHit(hierarchy, ray, Culling::None);
  }
};

__global__ void
__launch_bounds__(threads)
    drawShadowRays(const __grid_constant__ ShadowGrid grid,
                   const __grid_constant__ device::QueryTask task,
                   unsigned int* went_on)
{
  device::waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  bool goes_on = false;
  if (i < task.count)
    task.occluded[i] =
        isShadowed(grid, task.rays[i], ThroughHierarchy{task.hierarchy, goes_on}) ? 1
                                                                                  : 0;
  const int of_block = went_on ? __syncthreads_count(goes_on) : 0;
  if (threadIdx.x == 0 && of_block > 0)
    atomicAdd(went_on, static_cast<unsigned int>(of_block));
}

} // namespace

PaperShadows::PaperShadows(const device::CastTask& task,
                           const ShadowGrid& grid,
                           const device::WorldTriangles& in_camera)
: task_(task)
, grid_(grid)
, in_camera_(in_camera)
, starts_(static_cast<std::size_t>(grid.layout.tiles_x) * grid.layout.tiles_y + 1)
{
  task_.layout = grid.layout;
  scratch_.create(device::cuda::tileGridMemory(task_).scratch);
  task_.scratch = scratch_.ptr();
}

void
PaperShadows::makeGrid(cudaStream_t stream)
{
  const device::cuda::Grid made = device::cuda::makeTileGrid(task_, 0, stream);
  const int tiles = grid_.layout.tiles_x * grid_.layout.tiles_y;
  writeStarts<<<tiles / threads + 1, threads, 0, stream>>>(
      made.tile_ends, tiles, made.capacity, starts_.ptr());
  checkCuda(cudaGetLastError(), "launching a kernel");
  grid_.starts = starts_.ptr();
  grid_.entries = made.entries;
  grid_.wide = made.wide;
  grid_.wide_count = &made.sums->wide_count;
}

std::size_t
PaperShadows::prepareRays(cudaStream_t stream)
{
  const int tiles = grid_.layout.tiles_x * grid_.layout.tiles_y;
  unsigned int count = 0;
  checkCuda(
      cudaMemcpyAsync(
          &count, grid_.starts + tiles, sizeof(count), cudaMemcpyDeviceToHost, stream),
      "copying a number");
  checkCuda(cudaStreamSynchronize(stream), "waiting");
  entries_.create(count);

  // An entry as one signed number is ordered as its depth is, which is its upper half:
  // but for negative ones, which all come first.
  static_assert(sizeof(device::TileEntry) == sizeof(long long), "sorted as numbers");
  const auto* const from = reinterpret_cast<const long long*>(grid_.entries);
  auto* const to = reinterpret_cast<long long*>(entries_.ptr());
  std::size_t bytes = 0;
  const auto sort = [&](void* memory) {
    checkCuda(cub::DeviceSegmentedSort::SortKeys(memory,
                                                 bytes,
                                                 from,
                                                 to,
                                                 count,
                                                 tiles,
                                                 grid_.starts,
                                                 grid_.starts + 1,
                                                 stream),
              "sorting the grid's lists");
  };
  if (count > 0) {
    sort(nullptr);
    pcl::gpu::DeviceArray<char> memory(bytes);
    sort(memory.ptr());
    checkCuda(cudaStreamSynchronize(stream), "waiting");
  }
  grid_.entries = entries_.ptr();

  const thrust::counting_iterator<std::uint32_t> first(0);
  grid_.longest_side = thrust::transform_reduce(thrust::cuda::par.on(stream),
                                                first,
                                                first + grid_.world.count,
                                                LongestSide{grid_, in_camera_},
                                                0.0f,
                                                thrust::maximum<float>());
  return count;
}

void
PaperShadows::testOcclusion(const device::QueryTask& task,
                            unsigned int* went_on,
                            cudaStream_t stream) const
{
  const auto blocks = static_cast<unsigned int>((task.count + threads - 1) / threads);
  if (blocks > 0)
    device::launchOverlapping("drawShadowRays", blocks, threads, stream)(
        &drawShadowRays, grid_, task, went_on);
}

} // namespace pcl::gpu::test

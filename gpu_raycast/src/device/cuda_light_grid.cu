// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_boxes.cuh"
#include "cuda_light_grid.h"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int threads = 256;

/** \brief Blocks that look for the box of all triangles. */
constexpr int most_box_blocks = 1024;

/** \brief Blocks that look after large triangles: enough to keep a large device busy. */
constexpr int large_blocks = 1024;

__global__ void
__launch_bounds__(threads) fitGrid(const __grid_constant__ ShadingScene scene,
                                   int light,
                                   const LightGridLists lists)
{
  waitForPreviousKernel();
  const WorldTriangles world = {
      scene.instances, scene.instance_count, scene.triangle_count};
  Box box = emptyBox();
  for (std::uint64_t id = blockIdx.x * threads + threadIdx.x; id < world.count;
       id += gridDim.x * threads)
    includeTriangle(box, world, static_cast<std::uint32_t>(id));
  Box all;
  if (!uniteOverGrid<threads>(box, lists.boxes, &lists.counts->ticket, all))
    return;
  __shared__ FaceWindows windows;
  LightGrid& grid = *lists.grid;
  const GridLight grid_light = gridLight(scene.lights[light]);
  if (threadIdx.x < light_faces)
    windows.of[threadIdx.x] =
        makeFace(grid_light, threadIdx.x, all, grid.faces[threadIdx.x]);
  __syncwarp();
  if (threadIdx.x == 0) {
    grid.is_directional = grid_light.is_directional;
    shareCells(windows, lists.cells, grid);
  }
}

/** \brief Appends to a list the number that each thread of a warp hands in, if it wants
 * to. All threads of the warp must call. */
__device__ void
append(std::uint32_t* list, std::uint32_t* count, bool wanted, std::uint32_t id)
{
  const unsigned int lanes = __ballot_sync(all_lanes, wanted);
  if (lanes == 0)
    return;
  const int lane = threadIdx.x % warp_size;
  const int leader = __ffs(lanes) - 1;
  std::uint32_t first = 0;
  if (lane == leader)
    first = atomicAdd(count, __popc(lanes));
  first = __shfl_sync(all_lanes, first, leader);
  if (wanted)
    list[first + __popc(lanes & ((1u << lane) - 1u))] = id;
}

/** \brief A triangle a thread. */
__global__ void
__launch_bounds__(threads) linkTriangles(const __grid_constant__ ShadingScene scene,
                                         const LightGridLists lists)
{
  waitForPreviousKernel();
  const std::uint32_t id = blockIdx.x * threads + threadIdx.x;
  Triangle triangle;
  LeftToDo left = {false, false};
  if (id < scene.triangle_count && loadOccluder(scene, id, triangle))
    left = linkByOwnEntries(lists, id, triangle);
  append(lists.large, &lists.counts->large, left.large, id);
  append(lists.everywhere, &lists.counts->everywhere, left.everywhere, id);
}

/** \brief A triangle a warp. */
__global__ void
__launch_bounds__(threads)
    linkLargeTriangles(const __grid_constant__ ShadingScene scene,
                       const LightGridLists lists)
{
  waitForPreviousKernel();
  const int lane = threadIdx.x % warp_size;
  const std::uint32_t warps = gridDim.x * (threads / warp_size);
  const std::uint32_t count = lists.counts->large;
  for (std::uint32_t i = (blockIdx.x * threads + threadIdx.x) / warp_size; i < count;
       i += warps) {
    const std::uint32_t id = lists.large[i];
    Triangle triangle;
    loadOccluder(scene, id, triangle);
    const auto take = [&](std::uint32_t entries) {
      const std::uint32_t first = lane == 0 ? takeSharedEntries(lists, entries) : 0;
      return __shfl_sync(all_lanes, first, 0);
    };
    const bool fits = linkBySharedEntries(
        lists, scene.triangle_count, id, triangle, lane, warp_size, take);
    if (!fits && lane == 0)
      lists.everywhere[atomicAdd(&lists.counts->everywhere, 1u)] = id;
  }
}

} // namespace

std::size_t
lightGridBytes(std::size_t triangles)
{
  ScratchPieces pieces(nullptr);
  takeLightGrid(pieces, triangles, most_box_blocks);
  return pieces.bytes();
}

LightGridLists
makeLightGrid(const ShadingScene& scene, int light, void* scratch, cudaStream_t stream)
{
  ScratchPieces pieces(scratch);
  const LightGridLists lists =
      takeLightGrid(pieces, scene.triangle_count, most_box_blocks);
  checkCuda(
      cudaMemsetAsync(lists.heads, 0xff, lists.cells * sizeof(*lists.heads), stream),
      "clearing a light's grid");
  checkCuda(cudaMemsetAsync(lists.counts, 0, sizeof(*lists.counts), stream),
            "clearing a light's grid");
  const auto blocks =
      static_cast<int>((std::size_t(scene.triangle_count) + threads - 1) / threads);
  launchOverlapping("fitGrid",
                    &fitGrid,
                    std::min(std::max(blocks, 1), most_box_blocks),
                    threads,
                    0,
                    stream,
                    scene,
                    light,
                    lists);
  if (blocks == 0)
    return lists;
  launchOverlapping(
      "linkTriangles", &linkTriangles, blocks, threads, 0, stream, scene, lists);
  launchOverlapping("linkLargeTriangles",
                    &linkLargeTriangles,
                    large_blocks,
                    threads,
                    0,
                    stream,
                    scene,
                    lists);
  return lists;
}

} // namespace cuda
} // namespace device
} // namespace pcl

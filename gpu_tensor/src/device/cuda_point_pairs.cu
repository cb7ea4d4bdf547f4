// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_partner_search.cuh"
#include "cuda_tensor.h"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int search_warps = 2;
constexpr int tile_threads = 128;

/** \brief How far the first shell of a search reaches, in least squared distances. */
constexpr float near_squared_distance = 1.3f;

constexpr int list_threads = 256;

/** \brief The least of what the 16 lanes of a tile hand in. */
__device__ float
minimumOverTile(float value)
{
  for (int distance = tile_points / 2; distance > 0; distance /= 2)
    value = fminf(value, __shfl_xor_sync(all_lanes, value, distance));
  return value;
}

__device__ Vector3
minimumOverTile(const Vector3& v)
{
  return {minimumOverTile(v.x), minimumOverTile(v.y), minimumOverTile(v.z)};
}

__device__ float
sumOverTile(float value)
{
  for (int distance = tile_points / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/** \brief Sorts the points into tiles; a lane has a point. */
__global__ void
__launch_bounds__(tile_threads) tileKernel(PtrStepSz<const Float4> cloud,
                                           PtrStep<const Float4> normals,
                                           PairScratch scratch)
{
  const int thread = blockIdx.x * tile_threads + threadIdx.x;
  const int tile = thread / tile_points, lane = thread % tile_points;
  const bool inside = tile < scratch.columns * scratch.rows;
  const int x = tile % scratch.columns * tile_size + lane % tile_size;
  const int y = tile / scratch.columns * tile_size + lane / tile_size;
  waitForPreviousKernel();
  OrientedPoint point = missingPoint();
  if (x < cloud.cols && y < cloud.rows)
    point = orientedPoint(cloud.ptr(y)[x], normals.ptr(y)[x]);
  const Vector3& p = point.position;
  const bool there = isThere(point);
  const Vector3 n = there ? point.normal : Vector3{0.0f, 0.0f, 0.0f};

  const float infinity = INFINITY;
  const Vector3 none = {infinity, infinity, infinity};
  const Vector3 low = minimumOverTile(there ? p : none);
  const Vector3 high = -1.0f * minimumOverTile(there ? -1.0f * p : none);
  const Vector3 sum = {sumOverTile(n.x), sumOverTile(n.y), sumOverTile(n.z)};
  const Vector3 axis = coneAxis(sum);
  const float angle = coneAngle(minimumOverTile(there ? dot(axis, n) : 1.0f));
  if (!inside)
    return;
  const Vector3 centre = 0.5f * (low + high);
  const Vector3 e = p - centre;
  TilePoints& points = scratch.tiles.points[tile];
  points.normals[lane] = {n.x, n.y, n.z, 0.0f};
  points.offsets[lane] = {
      -2.0f * e.x, -2.0f * e.y, -2.0f * e.z, there ? dot(e, e) : NAN};
  if (lane > 0)
    return;
  scratch.tiles.centres[tile] = {centre.x, centre.y, centre.z, 0.0f};
  scratch.tiles.lows[tile] = {low.x, low.y, low.z, 0.0f};
  scratch.tiles.highs[tile] = {high.x, high.y, high.z, 0.0f};
  scratch.tiles.axes[tile] = {axis.x, axis.y, axis.z, angle};
}

/** \brief Marks the keypoints. */
__global__ void
keypointKernel(const int* keypoints, int count, int pixels, std::uint8_t* asked)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && keypoints[i] >= 0 && keypoints[i] < pixels)
    asked[keypoints[i]] = 1;
}

/** \brief Has every point choose its partners; a warp has a tile. */
__global__ void
__launch_bounds__(search_warps* warp_size)
    partnerKernel(const __grid_constant__ PairTask task,
                  const __grid_constant__ PairScratch scratch,
                  float min_angle,
                  float inverse_columns)
{
  __shared__ PartnerLists lists[search_warps];
  const int warp = threadIdx.x / warp_size;
  const int tile = blockIdx.x * search_warps + warp;
  if (tile >= scratch.columns * scratch.rows)
    return;
  waitForPreviousKernel();
  const PairLimits limits = pairLimits(task);
  PartnerSearch search(task, scratch, limits, tile, lists[warp]);
  // Most points find all their partners not much farther away than they must be.
  const float most = limits.max_squared_distance;
  const float near = fminf(most, near_squared_distance * limits.min_squared_distance);
  if (search.goesOn()) {
    search.searchShell(-1.0f, near, min_angle, inverse_columns);
    if (near < most && search.goesOn())
      search.searchShell(near, most, min_angle, inverse_columns);
  }
  search.write();
}

/** \brief Lists the pairs, no pair twice. */
__global__ void
__launch_bounds__(list_threads) pairKernel(
    const int* partners, int pixels, BlockOrder order, PointPair* pairs, int* count)
{
  __shared__ unsigned int warp_counts[list_threads / warp_size];
  __shared__ unsigned int begin;
  const int thread = threadIdx.x, lane = thread % warp_size;
  const int own = blockIdx.x * list_threads + thread;
  waitForPreviousKernel();
  const unsigned int run = order.run();
  if (thread == 0)
    begin = 0;
  int kept[max_partners];
  unsigned int before = 0, of_warp = 0;
  for (int k = 0; k < max_partners; ++k) {
    const int other = own < pixels ? partners[std::size_t(own) * max_partners + k] : -1;
    kept[k] = other >= 0 && keepsPair(partners, own, other) ? other : -1;
    const unsigned int lanes = __ballot_sync(all_lanes, kept[k] >= 0);
    before += __popc(lanes & ((1u << lane) - 1));
    of_warp += __popc(lanes);
  }
  if (lane == 0)
    warp_counts[thread / warp_size] = of_warp;
  __syncthreads();
  unsigned int total = 0;
  for (int warp = 0; warp < list_threads / warp_size; ++warp) {
    if (warp == thread / warp_size)
      before += total;
    total += warp_counts[warp];
  }
  if (thread == 0)
    order.publishCount(run, total);
  order.addCountsBefore<list_threads>(run, &begin);
  __syncthreads();
  PointPair* to = pairs + begin + before;
  for (int k = 0; k < max_partners; ++k)
    if (kept[k] >= 0)
      *to++ = {own, kept[k]};
  if (thread == 0) {
    order.publishEnd(run, begin + total);
    if (blockIdx.x == gridDim.x - 1) {
      *count = static_cast<int>(begin + total);
      order.finish(run);
    }
  }
}

/** \brief Keeps some of the pairs. */
__global__ void
selectKernel(PairSelection selection,
             const PointPair* all,
             const int* total,
             PointPair* pairs,
             int* count)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  waitForPreviousKernel();
  const int selected = min(selection.count, *total);
  if (i < selected)
    pairs[i] = all[selectedPair(selection, i, *total)];
  if (i == 0)
    *count = selected;
}

int
listBlocks(const PairTask& task)
{
  return divideUp(task.cloud.rows * task.cloud.cols, list_threads);
}

} // namespace

ScratchBytes
pairScratchBytes(const PairTask& task)
{
  return {BlockOrder::bytes(listBlocks(task)), PairScratch(task, nullptr).bytes};
}

void
findPairs(const PairTask& task, const ScratchMemory& memory, cudaStream_t stream)
{
  const PairScratch scratch(task, memory.loose);
  const int pixels = task.cloud.rows * task.cloud.cols;
  if (task.keypoints) {
    checkCuda(cudaMemsetAsync(scratch.asked, 0, pixels, stream), "clearing keypoints");
    const int blocks = divideUp(task.keypoint_count, list_threads);
    keypointKernel<<<blocks, list_threads, 0, stream>>>(
        task.keypoints, task.keypoint_count, pixels, scratch.asked);
    checkLaunch("keypointKernel");
  }
  const int tiles = scratch.columns * scratch.rows;
  launchOverlapping("tileKernel",
                    tileKernel,
                    dim3(divideUp(tiles * tile_points, tile_threads)),
                    dim3(tile_threads),
                    0,
                    stream,
                    task.cloud,
                    task.normals,
                    scratch);
  const int window_columns = 2 * divideUp(task.window_radius, tile_size) + 1;
  launchOverlapping("partnerKernel",
                    partnerKernel,
                    dim3(divideUp(tiles, search_warps)),
                    dim3(search_warps * warp_size),
                    0,
                    stream,
                    task,
                    scratch,
                    acosf(task.max_cosine) - 1e-3f,
                    1.0f / static_cast<float>(window_columns));
  launchOverlapping("pairKernel",
                    pairKernel,
                    dim3(listBlocks(task)),
                    dim3(list_threads),
                    0,
                    stream,
                    scratch.partners,
                    pixels,
                    BlockOrder(memory.kept, listBlocks(task)),
                    scratch.all ? scratch.all : task.pairs,
                    scratch.all ? scratch.total : task.count);
  if (scratch.all)
    launchOverlapping(
        "selectKernel",
        selectKernel,
        dim3(divideUp(min(task.selection.count, max_partners * pixels), list_threads)),
        dim3(list_threads),
        0,
        stream,
        task.selection,
        scratch.all,
        scratch.total,
        task.pairs,
        task.count);
}

} // namespace cuda
} // namespace device
} // namespace pcl

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_partner_search.cuh"
#include "cuda_tensor.h"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <cub/block/block_scan.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int tile_threads = 128;
constexpr int search_warps = 2;
constexpr int search_blocks = 14; // of a multiprocessor: 72 registers a thread
constexpr int list_threads = 512;

/** \brief The least of what the lanes of a tile hand in, each for a row. */
__device__ float
minimumOverTile(float value)
{
  for (int distance = tile_size / 2; distance > 0; distance /= 2)
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
  for (int distance = tile_size / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

__device__ Vector3
minimum(const Vector3& a, const Vector3& b)
{
  return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}

/** \brief Derives what is kept of a tile's bounds.
 * \param[in] low,high corners of a box that holds all points
 * \param[in] axis,angle a cone that holds all normals
 * \param[in] min_angle between normals, or less, radians
 */
__device__ TileBounds
tileBounds(const Vector3& low,
           const Vector3& high,
           const Vector3& axis,
           float angle,
           float min_angle)
{
  const Vector3 centre = 0.5f * (low + high);
  const Vector3 below = centre - low, above = high - centre;
  const Vector3 extents = {
      fmaxf(below.x, above.x), fmaxf(below.y, above.y), fmaxf(below.z, above.z)};
  const float turn = min_angle - angle;
  return {centre,
          turn > 0.0f ? __cosf(turn) + rounding_margin : 2.0f,
          (1.0f + rounding_margin) * extents,
          angle,
          axis,
          0.0f};
}

/** \brief Puts a tile of a window in its place, the nearest first; a warp has a tile. */
__device__ void
orderTile(int own, const TileWindow& window, TilePlace* places)
{
  if (own >= window.count())
    return;
  const int lane = threadIdx.x % warp_size;
  const int squared = window.squaredDistance(window[own]);
  int before = 0;
  for (int i = lane; i < window.count(); i += warp_size) {
    const int other = window.squaredDistance(window[i]);
    before += other < squared || (other == squared && i < own);
  }
  const int place = sumOverWarp(before);
  if (lane == 0)
    places[place] = window[own];
}

/** \brief Sorts the points into tiles; a lane has a row of a tile. The first blocks put the
 * tiles of a window in order. */
__global__ void
__launch_bounds__(tile_threads) tileKernel(PtrStepSz<const Float4> cloud,
                                           PtrStep<const Float4> normals,
                                           PairScratch scratch,
                                           int order_blocks,
                                           float min_angle)
{
  waitForPreviousKernel();
  if (blockIdx.x < order_blocks) {
    orderTile((blockIdx.x * tile_threads + threadIdx.x) / warp_size,
              scratch.window,
              scratch.places);
    return;
  }
  const int thread = (blockIdx.x - order_blocks) * tile_threads + threadIdx.x;
  const int tile = thread / tile_size, row = thread % tile_size;
  const bool inside = tile < scratch.columns * scratch.rows;
  const int x = tile % scratch.columns * tile_size;
  const int y = tile / scratch.columns * tile_size + row;
  OrientedPoint points[tile_size];
  const float infinity = INFINITY;
  Vector3 low = {infinity, infinity, infinity}, negative_high = low;
  Vector3 sum = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < tile_size; ++i) {
    points[i] = missingPoint();
    if (inside && x + i < cloud.cols && y < cloud.rows)
      points[i] = orientedPoint(cloud.ptr(y)[x + i], normals.ptr(y)[x + i]);
    if (!isThere(points[i]))
      continue;
    low = minimum(low, points[i].position);
    negative_high = minimum(negative_high, -1.0f * points[i].position);
    sum = sum + points[i].normal;
  }
  low = minimumOverTile(low);
  const Vector3 high = -1.0f * minimumOverTile(negative_high);
  const Vector3 axis =
      coneAxis({sumOverTile(sum.x), sumOverTile(sum.y), sumOverTile(sum.z)});
  float least_cosine = 1.0f;
#pragma unroll
  for (int i = 0; i < tile_size; ++i)
    if (isThere(points[i]))
      least_cosine = fminf(least_cosine, dot(axis, points[i].normal));
  const float angle = coneAngle(minimumOverTile(least_cosine));
  if (!inside)
    return;
  for (int i = 0; i < tile_size; ++i)
    scratch.points[tile].set(row * tile_size + i, points[i]);
  if (row == 0)
    scratch.bounds[tile] = tileBounds(low, high, axis, angle, min_angle);
}

/** \brief Marks the keypoints. */
__global__ void
keypointKernel(const int* keypoints, int count, int pixels, std::uint8_t* asked)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && keypoints[i] >= 0 && keypoints[i] < pixels)
    asked[keypoints[i]] = 1;
}

/** \brief Has every point choose its partners; a warp has a cell. */
__global__ void
__launch_bounds__(search_warps* warp_size, search_blocks)
    partnerKernel(const __grid_constant__ PairTask task,
                  const __grid_constant__ PairScratch scratch,
                  float min_angle)
{
  __shared__ SearchMemory memory[search_warps];
  const int warp = threadIdx.x / warp_size;
  const int columns = scratch.columns / cell_tiles;
  const int index = blockIdx.x * search_warps + warp;
  if (index >= columns * scratch.rows)
    return;
  waitForPreviousKernel();
  // From the upper and the lower border inwards: what is near the camera takes longest, and
  // is rarely in the middle.
  const int i = index / columns;
  const int row = i % 2 == 0 ? i / 2 : scratch.rows - 1 - i / 2;
  PartnerSearch search(task, scratch, row * columns + index % columns, memory[warp]);
  search.run(min_angle);
  search.write();
}

/** \brief Lists the pairs, no pair twice; a thread has a point. */
__global__ void
__launch_bounds__(list_threads) pairKernel(
    const int* partners, int pixels, BlockOrder order, PointPair* pairs, int* count)
{
  using Scan = cub::BlockScan<int, list_threads>;
  __shared__ typename Scan::TempStorage scan;
  __shared__ unsigned int begin;
  const int own = blockIdx.x * list_threads + threadIdx.x;
  waitForPreviousKernel();
  const unsigned int run = order.run();
  if (threadIdx.x == 0)
    begin = 0;
  int kept[max_partners];
  int kept_count = 0;
#pragma unroll
  for (int k = 0; k < max_partners; ++k) {
    const int other = own < pixels ? partners[std::size_t(own) * max_partners + k] : -1;
    kept[k] = other >= 0 && keepsPair(partners, own, other) ? other : -1;
    kept_count += kept[k] >= 0;
  }
  int before, total;
  Scan(scan).ExclusiveSum(kept_count, before, total);
  if (threadIdx.x == 0)
    order.publishCount(run, total);
  order.addCountsBefore<list_threads>(run, &begin);
  __syncthreads();
  PointPair* to = pairs + begin + before;
#pragma unroll
  for (int k = 0; k < max_partners; ++k)
    if (kept[k] >= 0)
      *to++ = {own, kept[k]};
  if (threadIdx.x == 0) {
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
  const int order_blocks = divideUp(scratch.window.count() * warp_size, tile_threads);
  const float min_angle = acosf(task.max_cosine) - 1e-3f;
  launchOverlapping("tileKernel",
                    tileKernel,
                    dim3(order_blocks + divideUp(tiles * tile_size, tile_threads)),
                    dim3(tile_threads),
                    0,
                    stream,
                    task.cloud,
                    task.normals,
                    scratch,
                    order_blocks,
                    min_angle);
  launchOverlapping("partnerKernel",
                    partnerKernel,
                    dim3(divideUp(tiles / cell_tiles, search_warps)),
                    dim3(search_warps * warp_size),
                    0,
                    stream,
                    task,
                    scratch,
                    min_angle);
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

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
constexpr int list_threads = 256;

__device__ float
minimumOverWarp(float value)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value = fminf(value, __shfl_xor_sync(all_lanes, value, distance));
  return value;
}

__device__ Vector3
minimumOverWarp(const Vector3& v)
{
  return {minimumOverWarp(v.x), minimumOverWarp(v.y), minimumOverWarp(v.z)};
}

__device__ float
sumOverWarp(float value)
{
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/** \brief The smallest of non-negative numbers. */
__device__ float
minimumOfPositive(float value)
{
#if __CUDA_ARCH__ >= 800
  return __uint_as_float(__reduce_min_sync(all_lanes, __float_as_uint(value)));
#else
  return minimumOverWarp(value);
#endif
}

/** \brief Sorts the points into cells; a warp has a cell. */
__global__ void
__launch_bounds__(search_warps* warp_size) cellKernel(PtrStepSz<const Float4> cloud,
                                                      PtrStep<const Float4> normals,
                                                      PairScratch scratch)
{
  const int index = blockIdx.x * search_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (index >= scratch.columns * scratch.rows)
    return;
  const int x = index % scratch.columns * cell_columns + lane % cell_columns;
  const int y = index / scratch.columns * cell_rows + lane / cell_columns;
  waitForPreviousKernel();
  OrientedPoint point = missingPoint();
  if (x < cloud.cols && y < cloud.rows)
    point = orientedPoint(cloud.ptr(y)[x], normals.ptr(y)[x]);
  const Vector3& p = point.position;
  const Vector3& n = point.normal;
  const bool there = isThere(point);
  scratch.cells[index].normals[lane] = {n.x, n.y, n.z, 0.0f};
  scratch.cells[index].positions[lane] = {p.x, p.y, p.z, 0.0f};

  const float infinity = INFINITY;
  const Vector3 none = {infinity, infinity, infinity};
  CellBounds bounds;
  bounds.low = minimumOverWarp(there ? p : none);
  bounds.high = -1.0f * minimumOverWarp(there ? -1.0f * p : none);
  const Vector3 sum = {sumOverWarp(there ? n.x : 0.0f),
                       sumOverWarp(there ? n.y : 0.0f),
                       sumOverWarp(there ? n.z : 0.0f)};
  bounds.axis = coneAxis(sum);
  bounds.angle = coneAngle(minimumOverWarp(there ? dot(bounds.axis, n) : 1.0f));
  if (lane == 0)
    scratch.bounds[index] = bounds;
}

/** \brief Marks the keypoints. */
__global__ void
keypointKernel(const int* keypoints, int count, int pixels, std::uint8_t* asked)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && keypoints[i] >= 0 && keypoints[i] < pixels)
    asked[keypoints[i]] = 1;
}

/** \brief A cell that may have partners for points of another one. */
struct NearCell {
  float squared_gap;
  int number;
};

/** \brief Lists the cells about one that its points may be paired with.
 * \param[out] list in shared memory, of the warp
 * \return how many
 */
__device__ int
listCells(const PairTask& task,
          const PairScratch& scratch,
          const PairLimits& limits,
          float min_angle,
          int own,
          NearCell* list)
{
  const int lane = threadIdx.x % warp_size;
  const int reach_x = divideUp(task.window_radius, cell_columns);
  const int reach_y = divideUp(task.window_radius, cell_rows);
  const int columns = 2 * reach_x + 1;
  const int candidates = columns * (2 * reach_y + 1);
  const int own_x = own % scratch.columns, own_y = own / scratch.columns;
  const CellBounds bounds = scratch.bounds[own];
  int count = 0;
  for (int first = 0; first < candidates; first += warp_size) {
    const int i = first + lane;
    const int x = own_x - reach_x + i % columns;
    const int y = own_y - reach_y + i / columns;
    const int number = y * scratch.columns + x;
    bool near =
        i < candidates && x >= 0 && x < scratch.columns && y >= 0 && y < scratch.rows;
    float gap = 0.0f;
    if (near) {
      const CellBounds other = scratch.bounds[number];
      gap = squaredGap(bounds, other);
      near = cellsMayBePaired(bounds, other, gap, limits, min_angle);
    }
    const unsigned int lanes = __ballot_sync(all_lanes, near);
    if (near)
      list[count + __popc(lanes & ((1u << lane) - 1))] = {gap, number};
    count += __popc(lanes);
  }
  __syncwarp();
  return count;
}

/** \brief Takes the closest cell off a list; its gap is infinite if none is left. */
__device__ NearCell
takeClosest(NearCell* list, int count)
{
  const int lane = threadIdx.x % warp_size;
  const float infinity = INFINITY;
  float gap = infinity;
  int place = 0;
  for (int i = lane; i < count; i += warp_size)
    if (list[i].squared_gap < gap) {
      gap = list[i].squared_gap;
      place = i;
    }
  const float least = minimumOfPositive(gap);
  if (least == infinity)
    return {infinity, 0};
  const int winner = __ffs(__ballot_sync(all_lanes, gap == least)) - 1;
  place = __shfl_sync(all_lanes, place, winner);
  const NearCell closest = list[place];
  __syncwarp();
  if (lane == winner)
    list[place].squared_gap = infinity;
  __syncwarp();
  return closest;
}

/** \brief Has every point choose its partners; a warp has half the points of a cell. */
__global__ void
__launch_bounds__(search_warps* warp_size)
    partnerKernel(const __grid_constant__ PairTask task,
                  const __grid_constant__ PairScratch scratch,
                  float min_angle,
                  int list_size)
{
  constexpr int parts = cell_points / CellPoints::points;
  extern __shared__ NearCell lists[];
  const int warp = blockIdx.x * search_warps + threadIdx.x / warp_size;
  const int index = warp / parts, lane = threadIdx.x % warp_size;
  if (index >= scratch.columns * scratch.rows)
    return;
  waitForPreviousKernel();
  const PairLimits limits = pairLimits(task);
  NearCell* const list = lists + threadIdx.x / warp_size * list_size;
  const int count = listCells(task, scratch, limits, min_angle, index, list);

  const int x = index % scratch.columns * cell_columns + lane % cell_columns;
  const int y = index / scratch.columns * cell_rows + lane / cell_columns;
  const float normal = scratch.cells[index].normals[lane].x;
  const bool asks =
      normal == normal && x < task.cloud.cols && y < task.cloud.rows &&
      (!scratch.asked || scratch.asked[std::size_t(y) * task.cloud.cols + x]);
  PartnerSearch search(task,
                       scratch,
                       limits,
                       index,
                       warp % parts * CellPoints::points,
                       __ballot_sync(all_lanes, asks));
  for (;;) {
    const NearCell near = takeClosest(list, count);
    if (near.squared_gap == INFINITY || !search.wants(near.squared_gap))
      break;
    search.search(near.number);
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
  const int cells = scratch.columns * scratch.rows;
  const int searches = cells * (cell_points / CellPoints::points);
  const dim3 search_block(search_warps * warp_size);
  launchOverlapping("cellKernel",
                    cellKernel,
                    dim3(divideUp(cells, search_warps)),
                    search_block,
                    0,
                    stream,
                    task.cloud,
                    task.normals,
                    scratch);
  const int list_size = (2 * divideUp(task.window_radius, cell_columns) + 1) *
                        (2 * divideUp(task.window_radius, cell_rows) + 1);
  launchOverlapping("partnerKernel",
                    partnerKernel,
                    dim3(divideUp(searches, search_warps)),
                    search_block,
                    search_warps * list_size * sizeof(NearCell),
                    stream,
                    task,
                    scratch,
                    acosf(task.max_cosine) - 1e-3f,
                    list_size);
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

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pairs/cuda_partner_search.cuh"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/block/block_scan.cuh>

namespace pcl::device::cuda {

namespace {

constexpr int tile_threads = 128;
constexpr int lane_points = 2; // that a lane sorts into tiles, next to each other
constexpr int tile_lanes = tile_points / lane_points;
constexpr int search_warps = 4;
constexpr int search_blocks = 7; // of a multiprocessor: 72 registers a thread
constexpr int list_threads = 256;
constexpr int list_points = 2 * list_threads; // of a block, which lists their pairs

/** \brief The order in which cells are searched: the cells that took longest in the run
 * before come first, so that no cell ends long after the others. A camera's next frame
 * resembles its last one. Only the time depends on the order.
 *
 * The memory is zero before the first run of a number of cells.
 */
class CellSchedule {
public:
  /** \param[in] memory of bytes(cells)
   * \param[in] cells their number
   */
  __host__ __device__
  CellSchedule(void* memory, int cells)
  : counts_(static_cast<unsigned int*>(memory))
  , places_(counts_ + 2 * classes)
  , cells_(cells)
  {}

  static std::size_t
  bytes(int cells)
  {
    return sizeof(unsigned int) * (2 * classes + static_cast<std::size_t>(cells));
  }

  /** \brief Begins a run. The first warp of the grid before the search calls it.
   * \param[in] run its number, which is odd in every other run
   */
  __device__ void
  begin(unsigned int run) const
  {
    counts_[run % 2 * classes + threadIdx.x] = 0;
  }

  /** \brief Returns the turn of a cell in the search. All lanes of a warp must call.
   * \param[in] cell its number; may be too large
   * \return its place among all cells; negative if the run before is unknown
   */
  __device__ int
  place(unsigned int run, int cell) const
  {
    // Lanes have the classes, that of the most work first.
    const int lane = threadIdx.x % warp_size;
    const unsigned int count = counts_[(run + 1) % 2 * classes + (classes - 1 - lane)];
    const unsigned int end = inclusiveSumOverWarp(count, lane);
    const bool known =
        __shfl_sync(all_lanes, end, warp_size - 1) == static_cast<unsigned int>(cells_);
    const unsigned int place = cell < cells_ ? places_[cell] : 0;
    const unsigned int begin =
        __shfl_sync(all_lanes, end - count, classes - 1 - place % classes);
    return known ? static_cast<int>(begin + place / classes) : -1;
  }

  /** \brief Records the work of a cell for the next run. One thread calls. */
  __device__ void
  record(unsigned int run, int cell, int work) const
  {
    const unsigned int work_class = min(work, classes - 1);
    const unsigned int rank = atomicAdd(counts_ + run % 2 * classes + work_class, 1u);
    places_[cell] = rank * classes + work_class;
  }

private:
  static constexpr int classes = warp_size;

  unsigned int* counts_; ///< of cells of each class, in this run and the one before
  unsigned int* places_; ///< of each cell among those of its class, and the class
  int cells_;
};

/** \brief Returns the least value of the lanes of a tile, each of which has two
 * points. */
__device__ float
minimumOverTile(float value)
{
  for (int distance = tile_lanes / 2; distance > 0; distance /= 2)
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
  for (int distance = tile_lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/** \brief Computes the bounds of a tile.
 * \param[in] low,high corners of a box that holds all points
 * \param[in] axis,angle a cone that holds all normals
 * \param[in] min_distance of partners
 * \param[in] min_angle between normals, or less, radians
 */
__device__ TileBounds
tileBounds(const Vector3& low,
           const Vector3& high,
           const Vector3& axis,
           float angle,
           float min_distance,
           float min_angle)
{
  const Vector3 centre = 0.5f * (low + high);
  const Vector3 below = centre - low, above = high - centre;
  const Vector3 extents = (1.0f + rounding_margin) * maximum(below, above);
  const float turn = min_angle - angle;
  const float too_near = (1.0f - rounding_margin) * min_distance -
                         (1.0f + rounding_margin) * sqrtf(dot(extents, extents));
  return {centre,
          turn > 0.0f ? __cosf(turn) + rounding_margin : 2.0f,
          extents,
          angle,
          axis,
          too_near > 0.0f ? (1.0f - rounding_margin) * too_near * too_near : 0.0f};
}

/** \brief Puts a tile of a window in its place, the nearest first; a warp has a
 * tile. */
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

/** \brief Puts the cells in the order in which they are searched; a thread has a
 * cell. */
__device__ void
orderCell(int own,
          const PairScratch& scratch,
          const CellSchedule& schedule,
          unsigned int run)
{
  if (own < warp_size)
    schedule.begin(run);
  int place = schedule.place(run, own);
  if (own >= scratch.cellCount())
    return;
  const int columns = scratch.cellColumns();
  const int row = own / columns, column = own % columns;
  if (place < 0) {
    // From the upper and the lower border inwards: surfaces near the camera take
    // longest, and are rarely in the middle.
    const bool upper = row < divideUp(scratch.rows, 2);
    place = (upper ? 2 * row : 2 * (scratch.rows - 1 - row) + 1) * columns + column;
  }
  scratch.cells[place] = {column * cell_tiles, row};
}

/** \brief Sorts the points into tiles; a lane has two points. The first blocks put the
 * cells and the tiles of a window in order. */
__global__ void
__launch_bounds__(tile_threads) tileKernel(const __grid_constant__ PairTask task,
                                           const __grid_constant__ PairScratch scratch,
                                           CellSchedule schedule,
                                           BlockOrder order,
                                           int cell_blocks,
                                           int order_blocks,
                                           float min_angle)
{
  const PtrStepSz<const Float4>& cloud = task.cloud;
  const PtrStep<const Float4>& normals = task.normals;
  waitForPreviousKernel();
  if (blockIdx.x < cell_blocks) {
    orderCell(blockIdx.x * tile_threads + threadIdx.x, scratch, schedule, order.run());
    return;
  }
  if (blockIdx.x < order_blocks) {
    orderTile(((blockIdx.x - cell_blocks) * tile_threads + threadIdx.x) / warp_size,
              scratch.window,
              scratch.places);
    return;
  }
  const int thread = (blockIdx.x - order_blocks) * tile_threads + threadIdx.x;
  const int tile = thread / tile_lanes, two = thread % tile_lanes;
  const bool inside = tile < scratch.columns * scratch.rows;
  const int x = tile % scratch.columns * tile_size + lane_points * two % tile_size;
  const int y = tile / scratch.columns * tile_size + lane_points * two / tile_size;
  // All are read before the first one is looked at.
  const float min_distance = task.metres(task.min_distance);
  Float4 positions[lane_points], directions[lane_points];
#pragma unroll
  for (int i = 0; i < lane_points; ++i) {
    const int column = min(x + i, cloud.cols - 1);
    positions[i] = cloud.ptr(min(y, cloud.rows - 1))[column];
    directions[i] = normals.ptr(min(y, cloud.rows - 1))[column];
  }
  OrientedPoint points[lane_points];
  const float infinity = INFINITY;
  Vector3 low = {infinity, infinity, infinity}, negative_high = low;
  Vector3 sum = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < lane_points; ++i) {
    points[i] = inside && x + i < cloud.cols && y < cloud.rows
                    ? orientedPoint(positions[i], directions[i])
                    : missingPoint();
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
  for (int i = 0; i < lane_points; ++i)
    if (isThere(points[i]))
      least_cosine = fminf(least_cosine, dot(axis, points[i].normal));
  const float angle = coneAngle(minimumOverTile(least_cosine));
  if (!inside)
    return;
  scratch.points[tile].setTwo(two, points[0], points[1]);
  if (two == 0)
    scratch.bounds[tile] = tileBounds(low, high, axis, angle, min_distance, min_angle);
}

/** \brief Marks the keypoints. */
__global__ void
keypointKernel(const int* keypoints, int count, int pixels, std::uint8_t* asked)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && keypoints[i] >= 0 && keypoints[i] < pixels)
    asked[keypoints[i]] = 1;
}

/** \brief Chooses the partners of every point; a warp has a cell. */
__global__ void
__launch_bounds__(search_warps* warp_size, search_blocks)
    partnerKernel(const __grid_constant__ PairTask task,
                  const __grid_constant__ PairScratch scratch,
                  CellSchedule schedule,
                  BlockOrder order,
                  float min_angle)
{
  __shared__ SearchMemory memory[search_warps];
  const int warp = threadIdx.x / warp_size;
  const int index = blockIdx.x * search_warps + warp;
  if (index >= scratch.cellCount())
    return;
  waitForPreviousKernel();
  const int2 cell = scratch.cells[index];
  PartnerSearch search(task, scratch, cell, memory[warp]);
  search.run(min_angle);
  search.write();
  if (threadIdx.x % warp_size == 0)
    schedule.record(order.run(),
                    cell.y * scratch.cellColumns() + cell.x / cell_tiles,
                    search.work());
}

/** \brief The pairs of a point. */
struct PairsOfPoint {
  int own;
  ChosenPartners chosen;
  ChosenPartners others[max_partners]; ///< the partners that these chose
  bool keeps[max_partners];

  __device__ void
  read(const ChosenPartners* partners, int point, int pixels)
  {
    own = point;
    chosen = {{-1, -1, -1}, 0};
    if (own < pixels)
      chosen = partners[own];
  }

  /** \brief Starts the loads of all at once. */
  __device__ void
  readOthers(const ChosenPartners* partners)
  {
#pragma unroll
    for (int k = 0; k < max_partners; ++k) {
      others[k] = {};
      if (chosen.point[k] >= 0 && chosen.point[k] < own)
        others[k] = partners[chosen.point[k]];
    }
  }

  /** \return the number of pairs that the point keeps */
  __device__ int
  keep()
  {
    int count = 0;
#pragma unroll
    for (int k = 0; k < max_partners; ++k) {
      keeps[k] = chosen.point[k] >= 0 && keepsPair(others[k], own, chosen.point[k]);
      count += keeps[k];
    }
    return count;
  }

  __device__ void
  write(PointPair* to) const
  {
#pragma unroll
    for (int k = 0; k < max_partners; ++k)
      if (keeps[k])
        *to++ = {own, chosen.point[k]};
  }
};

/** \brief Lists the pairs, no pair twice; a thread has two points. */
__global__ void
__launch_bounds__(list_threads) pairKernel(const ChosenPartners* partners,
                                           int pixels,
                                           BlockOrder order,
                                           PointPair* pairs,
                                           int* count)
{
  using Scan = cub::BlockScan<int, list_threads>;
  __shared__ typename Scan::TempStorage scan;
  __shared__ unsigned int begin;
  const int first = blockIdx.x * list_points + threadIdx.x;
  waitForPreviousKernel();
  const unsigned int run = order.run();
  if (threadIdx.x == 0)
    begin = 0;
  PairsOfPoint a, b;
  a.read(partners, first, pixels);
  b.read(partners, first + list_threads, pixels);
  a.readOthers(partners);
  b.readOthers(partners);
  const int kept = a.keep() | b.keep() << 16; // summed together
  int before, total;
  Scan(scan).ExclusiveSum(kept, before, total);
  const int total_a = total & 0xffff;
  const int both = total_a + (total >> 16);
  if (threadIdx.x == 0)
    order.publishCount(run, both);
  order.addCountsBefore<list_threads>(run, &begin);
  __syncthreads();
  a.write(pairs + begin + (before & 0xffff));
  b.write(pairs + begin + total_a + (before >> 16));
  if (threadIdx.x == 0) {
    order.publishEnd(run, begin + both);
    if (blockIdx.x == gridDim.x - 1) {
      *count = static_cast<int>(begin + both);
      order.finish(run);
    }
  }
}

/** \brief Keeps some of the pairs. */
__global__ void
selectKernel(const __grid_constant__ PairTask task,
             const PointPair* all,
             const int* total)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  waitForPreviousKernel();
  const int selected = min(task.selected_count, *total);
  if (i < selected)
    task.pairs[i] = all[selectedPair(task, i, *total)];
  if (i == 0)
    *task.count = selected;
}

int
listBlocks(const PairTask& task)
{
  return divideUp(task.cloud.rows * task.cloud.cols, list_points);
}

} // namespace

ScratchBytes
pairScratchBytes(const PairTask& task)
{
  const PairScratch scratch(task, nullptr);
  return {BlockOrder::bytes(listBlocks(task)) +
              CellSchedule::bytes(scratch.cellCount()),
          scratch.bytes};
}

void
findPairs(const PairTask& task, cudaStream_t stream)
{
  const PairScratch scratch(task, task.scratch.loose);
  const int pixels = task.cloud.rows * task.cloud.cols;
  if (task.keypoints) {
    checkCuda(cudaMemsetAsync(scratch.asked, 0, pixels, stream), "clearing keypoints");
    const int blocks = divideUp(task.keypoint_count, list_threads);
    keypointKernel<<<blocks, list_threads, 0, stream>>>(
        task.keypoints, task.keypoint_count, pixels, scratch.asked);
    checkLaunch("keypointKernel");
  }
  const BlockOrder order(task.scratch.kept, listBlocks(task));
  const CellSchedule schedule(static_cast<char*>(task.scratch.kept) +
                                  BlockOrder::bytes(listBlocks(task)),
                              scratch.cellCount());
  const int tiles = scratch.columns * scratch.rows;
  const int cell_blocks = divideUp(scratch.cellCount(), tile_threads);
  const int order_blocks =
      cell_blocks + divideUp(scratch.window.count() * warp_size, tile_threads);
  const float min_angle = acosf(task.max_cosine) - 1e-3f;
  launchOverlapping("tileKernel",
                    order_blocks + divideUp(tiles * tile_lanes, tile_threads),
                    tile_threads,
                    stream)(
      tileKernel, task, scratch, schedule, order, cell_blocks, order_blocks, min_angle);
  launchOverlapping("partnerKernel",
                    divideUp(scratch.cellCount(), search_warps),
                    search_warps * warp_size,
                    stream)(partnerKernel, task, scratch, schedule, order, min_angle);
  launchOverlapping("pairKernel", listBlocks(task), list_threads, stream)(
      pairKernel,
      scratch.partners,
      pixels,
      order,
      scratch.all ? scratch.all : task.pairs,
      scratch.all ? scratch.total : task.count);
  if (scratch.all)
    launchOverlapping(
        "selectKernel",
        divideUp(min(task.selected_count, max_partners * pixels), list_threads),
        list_threads,
        stream)(selectKernel, task, scratch.all, scratch.total);
}

} // namespace pcl::device::cuda

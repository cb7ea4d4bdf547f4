// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "normals/normals.h"
#include "normals/ray_windows-inl.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/warp/warp_scan.cuh>

namespace pcl::device::cuda {

namespace {

using Moments = RayMoments<float>;

/** \brief Threads of a tile: each has 2 x 2 pixels, numbered along a Z-curve, so that
 * the four of a larger block are neighbours. */
constexpr int tile_threads = ray_tile * ray_tile / 4;
constexpr int tiles_of_block = 2;
constexpr int measuring_threads = tiles_of_block * tile_threads;

/** \brief Outputs of a block of threads. */
constexpr int output_columns = 2 * ray_tile;
constexpr int output_rows = ray_tile;
/** \brief Outputs of a thread, one below the other: they share most windows. */
constexpr int thread_rows = 2;
constexpr int output_threads = output_columns * output_rows / thread_rows;
/** \brief More would spill registers; Turing has room for 4. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int output_blocks_per_multiprocessor = 4;
#else
constexpr int output_blocks_per_multiprocessor = 5;
#endif

__device__ RaySample<float>
sampleAt(const PtrStepSz<const Float4>& cloud, int x, int y)
{
  if (x < 0 || y < 0 || x >= cloud.cols || y >= cloud.rows)
    return {};
  const Float4 p = cloud.ptr(y)[x];
  return raySample(p.x, p.y, p.z);
}

/** \brief Returns the sum of the lane's moments and those of a later lane. */
__device__ Moments
addLater(const Moments& m, int distance)
{
  Moments other = m;
  visitMoments(other, [distance](int, float& member) {
    member = __shfl_down_sync(all_lanes, member, distance);
  });
  return m + other;
}

/** \brief Block in memory: read and written by pairs of members. */
struct alignas(8) StoredMoments {
  Moments moments;
};

__device__ StoredMoments&
blockAt(const RayBlocks& blocks, int row, int column)
{
  return reinterpret_cast<StoredMoments*>(
      blocks.moments)[row * blocks.columns + column];
}

__device__ void
countResidual(const Moments& m, int size, NoiseHistogram& histogram)
{
  const int width = NoiseHistogram::width(size);
  const float variance = residualVariance(m, static_cast<float>(width * width));
  if (variance >= 0.0f)
    atomicAdd(&histogram.counts[size][NoiseHistogram::binOf(variance)], 1u);
}

/** \brief Sums the blocks of tiles and counts their residuals. */
__global__ void
__launch_bounds__(measuring_threads)
    measureBlocksKernel(PtrStepSz<const Float4> cloud, RayScratch scratch)
{
  __shared__ Moments halves[tiles_of_block];
  const int thread = threadIdx.x % tile_threads;
  const int tile = threadIdx.x / tile_threads;
  // Every other bit.
  const int block_x = (thread & 1) | (thread >> 1 & 2) | (thread >> 2 & 4);
  const int block_y = (thread >> 1 & 1) | (thread >> 2 & 2) | (thread >> 3 & 4);
  const int tile_x = blockIdx.x * tiles_of_block + tile;
  const int tile_y = blockIdx.y;
  const int x = tile_x * ray_tile + 2 * block_x;
  const int y = tile_y * ray_tile + 2 * block_y;
  // The grid may be wider than the image.
  const bool is_tile = tile_x * ray_tile < cloud.cols;
  waitForPreviousKernel();
  startNextKernel();

  const RaySample<float> corner = sampleAt(cloud, x, y);
  const RaySample<float> right = sampleAt(cloud, x + 1, y);
  const RaySample<float> below = sampleAt(cloud, x, y + 1);
  const Moments above = momentsOf(corner, right);
  Moments block = above + momentsOf(below, sampleAt(cloud, x + 1, y + 1));

  // The window of 3 x 3 pixels in the corner of each block of 8 x 8.
  const int part = thread % 4;
  Moments window = part == 0   ? block
                   : part == 1 ? momentsOf(corner, below)
                   : part == 2 ? above
                               : momentsOf(corner);
  window = addLater(addLater(window, 1), 2);
  if (thread % 16 == 0)
    countResidual(window, 0, *scratch.histogram);

  if (is_tile)
    blockAt(scratch.blocks[1],
            tile_y * (ray_tile / 2) + block_y,
            tile_x * (ray_tile / 2) + block_x) = {block};
#pragma unroll
  for (int level = 2; level < ray_levels; ++level) {
    const int bit = 1 << 2 * (level - 2);
    block = addLater(block, bit);
    if (level < ray_levels - 1)
      block = addLater(block, 2 * bit);
    else {
      // The lower half of a tile belongs to the next warp.
      if (thread == 32)
        halves[tile] = block;
      __syncthreads();
      if (thread == 0)
        block = block + halves[tile];
    }
    if (thread % (4 * bit) == 0) {
      for (int size = 1; size < NoiseHistogram::windows; ++size)
        if (1 << level == NoiseHistogram::width(size))
          countResidual(block, size, *scratch.histogram);
      if (is_tile)
        blockAt(scratch.blocks[level],
                tile_y * (ray_tile >> level) + (block_y >> (level - 1)),
                tile_x * (ray_tile >> level) + (block_x >> (level - 1))) = {block};
    }
  }
}

/** \brief Finds the bin with the residuals that measure the noise; 0 if there is none.
 * All lanes of a warp must call. */
__device__ int
findNoiseBin(const unsigned int (&counts)[NoiseHistogram::bins],
             typename cub::WarpScan<unsigned int>::TempStorage& storage)
{
  constexpr int parts = NoiseHistogram::bins / 128;
  const int lane = threadIdx.x % 32;
  // All at once, so that the loads' latencies overlap.
  uint4 bins[parts];
  unsigned int own[parts];
  unsigned int sum = 0;
#pragma unroll
  for (int i = 0; i < parts; ++i) {
    bins[i] = reinterpret_cast<const uint4*>(counts)[32 * i + lane];
    own[i] = bins[i].x + bins[i].y + bins[i].z + bins[i].w;
    sum += own[i];
  }
  cub::WarpScan<unsigned int> scan(storage);
  unsigned int before, total;
  scan.ExclusiveSum(sum, before, total);
  const unsigned int equal = __shfl_sync(all_lanes, bins[0].x, 0);
  // Counted from the first bin on.
  const unsigned int in_others = noisePlace(equal, total - equal);
  const unsigned int place = equal + in_others;
  int found = 0;
  unsigned int done = 0;
#pragma unroll
  for (int i = 0; i < parts; ++i) {
    scan.ExclusiveSum(own[i], before, total);
    before += done;
    if (in_others > 0 && place > before && place <= before + own[i]) {
      const uint4& b = bins[i];
      const unsigned int left = place - before;
      found = 4 * (32 * i + lane) + (left <= b.x               ? 0
                                     : left <= b.x + b.y       ? 1
                                     : left <= b.x + b.y + b.z ? 2
                                                               : 3);
    }
    done += total;
  }
  const unsigned int lanes = __ballot_sync(all_lanes, found > 0);
  return __shfl_sync(all_lanes, found, lanes == 0 ? 0 : lowestBit(lanes));
}

constexpr __host__ __device__ int
windowColumns(int level)
{
  return (output_columns >> level) + 1;
}

constexpr int
windowCount(int level)
{
  return windowColumns(level) * ((output_rows >> level) + 1);
}

/** \brief Returns the number of the windows of all levels before one. */
constexpr int
firstWindow(int level)
{
  return level == 0 ? 0 : firstWindow(level - 1) + windowCount(level - 1);
}

/** \brief Windows of a block of threads' outputs. */
struct SharedWindows {
  float4 planes[firstWindow(ray_levels)];
  float2 rests[firstWindow(ray_levels)];

  __device__ void
  set(int index, const RayWindow<float>& window)
  {
    planes[index] = {window.a, window.b, window.c, window.error};
    rests[index] = {window.misfit, window.curvature};
  }

  __device__ RayWindow<float>
  at(int index) const
  {
    const float4 plane = planes[index];
    const float2 rest = rests[index];
    return {plane.x, plane.y, plane.z, plane.w, rest.x, rest.y};
  }
};

/** \brief Returns the moments of a block; those outside the image are empty. */
__device__ Moments
momentsAt(const RayBlocks& blocks, int row, int column)
{
  if (row < 0 || column < 0 || row >= blocks.rows || column >= blocks.columns)
    return {};
  return blockAt(blocks, row, column).moments;
}

/** \brief Returns the moments of a window of the blocks of level 1 or more.
 * \param[in] index of the window among those of the outputs; none beyond the last
 * \param[in] x0 column of the first output
 * \param[in] y0 row of the first output
 * \param[out] level of the window's blocks
 */
__device__ Moments
largerWindowMoments(const RayScratch& scratch, int index, int x0, int y0, int& level)
{
  level = 1;
  int first = firstWindow(1);
  // An array that is indexed at run time would lie in local memory.
  RayBlocks blocks = scratch.blocks[1];
#pragma unroll
  for (int higher = 2; higher < ray_levels; ++higher)
    if (index >= firstWindow(higher)) {
      level = higher;
      first = firstWindow(higher);
      blocks = scratch.blocks[higher];
    }
  if (index >= firstWindow(ray_levels))
    return {};
  const int columns = windowColumns(level);
  const int row = (y0 >> level) - 1 + (index - first) / columns;
  const int column = (x0 >> level) - 1 + (index - first) % columns;
  return (momentsAt(blocks, row, column) + momentsAt(blocks, row, column + 1)) +
         (momentsAt(blocks, row + 1, column) + momentsAt(blocks, row + 1, column + 1));
}

__global__ void
__launch_bounds__(output_threads, output_blocks_per_multiprocessor)
    meanPlanesKernel(NormalsTask task, RayScratch scratch)
{
  static_assert(firstWindow(ray_levels) - firstWindow(1) <= output_threads,
                "A thread has one of the larger windows");
  constexpr int sample_columns = output_columns + 2;
  constexpr int sample_rows = output_rows + 2;
  __shared__ RaySample<float> samples[sample_rows][sample_columns];
  __shared__ SharedWindows windows;
  __shared__ float variances[NoiseHistogram::windows];
  __shared__ typename cub::WarpScan<unsigned int>::TempStorage
      scan_storage[NoiseHistogram::windows];
  __shared__ bool is_last;
  const int x0 = blockIdx.x * output_columns;
  const int y0 = blockIdx.y * output_rows;
  // The previous kernel only reads the cloud.
  for (int i = threadIdx.x; i < sample_rows * sample_columns; i += output_threads) {
    const int row = i / sample_columns;
    const int column = i % sample_columns;
    samples[row][column] = sampleAt(task.cloud, x0 - 1 + column, y0 - 1 + row);
  }
  waitForPreviousKernel();
  // Its loads overlap with those of the histogram.
  const int larger = firstWindow(1) + threadIdx.x;
  int larger_level;
  const Moments larger_moments =
      largerWindowMoments(scratch, larger, x0, y0, larger_level);
  // The last warps have the fewest windows.
  const int size = threadIdx.x / 32 - (output_threads / 32 - NoiseHistogram::windows);
  if (size >= 0) {
    const int bin = findNoiseBin(scratch.histogram->counts[size], scan_storage[size]);
    if (threadIdx.x % 32 == 0)
      variances[size] = noiseVariance(size, bin);
  }
  __syncthreads();
  const WindowNoise noise = windowNoise(variances);

  // The last block to have read the histogram empties it for the next run.
  if (threadIdx.x == 0) {
    const unsigned int last = gridDim.x * gridDim.y - 1;
    __threadfence();
    is_last = atomicInc(scratch.finished, last) == last;
  }

  if (larger < firstWindow(ray_levels)) {
    float noise_variance = noise.variances[1];
#pragma unroll
    for (int level = 2; level < ray_levels; ++level)
      if (larger_level == level)
        noise_variance = noise.variances[level];
    windows.set(larger, evaluateWindow(larger_moments, noise_variance));
  }
  // Threads without a larger window begin.
  for (int i = output_threads - 1 - threadIdx.x; i < windowCount(0);
       i += output_threads) {
    const int row = i / windowColumns(0);
    const int column = i % windowColumns(0);
    const Moments above = momentsOf(samples[row][column], samples[row][column + 1]);
    const Moments below =
        momentsOf(samples[row + 1][column], samples[row + 1][column + 1]);
    windows.set(i, evaluateWindow(above + below, noise.variances[0]));
  }
  __syncthreads();
  if (is_last) {
    unsigned int* const counts = &scratch.histogram->counts[0][0];
    for (int i = threadIdx.x; i < NoiseHistogram::windows * NoiseHistogram::bins;
         i += output_threads)
      counts[i] = 0;
  }

  const int column = threadIdx.x % output_columns;
  const int first_row = threadIdx.x / output_columns * thread_rows;
  RaySample<float> points[thread_rows];
  float depths[thread_rows];
  PlaneMean<float> means[thread_rows];
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    points[i] = samples[first_row + i + 1][column + 1];
    depths[i] = roughQuotient(1.0f, points[i].there > 0.0f ? points[i].w : 1.0f);
    means[i] = noPlanes<float>();
  }
#pragma unroll
  for (int level = 0; level < ray_levels; ++level) {
    const int columns = windowColumns(level);
    const int first =
        firstWindow(level) + (first_row >> level) * columns + (column >> level);
    const float left = firstWindowShare(column, level);
    const float noise_variance = noise.variances[level];
    const int window_rows = (thread_rows >> level > 0 ? thread_rows >> level : 1) + 1;
#pragma unroll
    for (int k = 0; k < window_rows; ++k) {
      const RayWindow<float> first_window = windows.at(first + k * columns);
      const RayWindow<float> second_window = windows.at(first + k * columns + 1);
#pragma unroll
      for (int i = 0; i < thread_rows; ++i) {
        const int row = i >> level;
        if (row != k && row != k - 1)
          continue;
        const float upper = firstWindowShare(first_row + i, level);
        const float share = row == k ? upper : 1.0f - upper;
        const float squared_z = depths[i] * depths[i];
        add(means[i], first_window, points[i], squared_z, noise_variance, left * share);
        add(means[i],
            second_window,
            points[i],
            squared_z,
            noise_variance,
            share - left * share);
      }
    }
  }

  const int x = x0 + column;
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    const int y = y0 + first_row + i;
    if (x >= task.cloud.cols || y >= task.cloud.rows)
      break;
    const float z = depths[i];
    const RayNormal<float> normal = normalOf(means[i],
                                             points[i].there,
                                             task.viewpoint[0] - points[i].u * z,
                                             task.viewpoint[1] - points[i].v * z,
                                             task.viewpoint[2] - z);
    PtrStep<Float4> normals = task.normals;
    normals.ptr(y)[x] = {normal.x, normal.y, normal.z, normal.curvature};
  }
}

} // namespace

std::size_t
adaptiveNormalsScratchBytes(const NormalsTask& task)
{
  ScratchPieces pieces(nullptr);
  RayScratch(pieces, task.cloud.cols, task.cloud.rows);
  return pieces.bytes();
}

void
estimateAdaptiveNormals(const NormalsTask& task, cudaStream_t stream)
{
  ScratchPieces pieces(task.scratch);
  const RayScratch scratch(pieces, task.cloud.cols, task.cloud.rows);
  const dim3 tiles(divideUp(task.cloud.cols, tiles_of_block * ray_tile),
                   divideUp(task.cloud.rows, ray_tile));
  launchOverlapping("measureBlocks", tiles, measuring_threads, stream)(
      measureBlocksKernel, task.cloud, scratch);
  const dim3 outputs(divideUp(task.cloud.cols, output_columns),
                     divideUp(task.cloud.rows, output_rows));
  launchOverlapping("meanPlanes", outputs, output_threads, stream)(
      meanPlanesKernel, task, scratch);
}

} // namespace pcl::device::cuda

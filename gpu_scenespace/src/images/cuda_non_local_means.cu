// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/non_local_means-inl.h"
#include "images/pixel_noise.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device {

namespace {

/** \brief Warps of a block, one above the other, and rows of pixels that each of them
 * has. */
constexpr int block_warps = 4, warp_rows = 4;

/** \brief Pixels from row to row of a block's tile, known to the compiler. */
constexpr int tile_stride = warp_size + 2 * max_search_reach;

/** \brief Rows of a block's tile. */
__host__ __device__ constexpr int
tileRows(int patch, int search)
{
  return block_warps * warp_rows + 2 * (patch + search);
}

/** \brief The squared difference of colours, levels^2. */
__device__ float
squaredDifference(PackedColor a, PackedColor b)
{
  // Whole numbers below 2^23 are the last bits of 2^23 plus them.
  const unsigned int difference = __vabsdiffu4(a, b);
  return __uint_as_float(__dp4a(difference, difference, 0x4b000000u)) - 8388608.0f;
}

/** \brief Removes noise. The lanes of a warp are neighbouring columns, of which the
 * first and the last ones only help with the patches of those between them.
 */
template <int patch, bool varies>
__global__ void
__launch_bounds__(block_warps* warp_size)
    nonLocalMeansKernel(const __grid_constant__ NonLocalMeansTask task)
{
  constexpr int side = 2 * patch + 1, compared_rows = warp_rows + 2 * patch;
  constexpr int most_pixels = tileRows(patch, max_search_reach) * tile_stride;
  __shared__ PackedColor colors[most_pixels];
  __shared__ float worths[most_pixels];
  __shared__ float variances[varies ? most_pixels : 1];
  const int lane = threadIdx.x, warp = threadIdx.y, search = task.search_reach;
  const int x0 = blockIdx.x * (warp_size - 2 * patch) - patch;
  const int y0 = blockIdx.y * (block_warps * warp_rows) - patch;
  for (int row = warp; row < tileRows(patch, search); row += block_warps)
    for (int column = lane; column < warp_size + 2 * search; column += warp_size) {
      const NoisyPixel pixel =
          noisyPixel<varies>(task, x0 - search + column, y0 - search + row);
      const int i = row * tile_stride + column;
      colors[i] = pixel.color;
      worths[i] = pixel.worth;
      if (varies)
        variances[i] = pixel.variance;
    }
  __syncthreads();

  const int first = warp * warp_rows * tile_stride + lane;
  PackedColor own_colors[compared_rows];
  float own_variances[compared_rows];
#pragma unroll
  for (int k = 0; k < compared_rows; ++k) {
    const int i = first + (search + k) * tile_stride + search;
    own_colors[k] = colors[i];
    own_variances[k] = varies ? variances[i] : 0.0f;
  }
  ColorSum sums[warp_rows] = {};
  for (int down = 0; down <= 2 * search; ++down)
#pragma unroll 1
    for (int right = 0; right <= 2 * search; ++right) {
      const int other = first + down * tile_stride + right;
      PackedColor other_colors[compared_rows];
      float units[compared_rows];
#pragma unroll
      for (int k = 0; k < compared_rows; ++k) {
        const int i = other + k * tile_stride;
        other_colors[k] = colors[i];
        units[k] = noiseUnits<varies>(squaredDifference(own_colors[k], other_colors[k]),
                                      own_variances[k],
                                      varies ? variances[i] : 0.0f);
      }
#pragma unroll
      for (int row = 0; row < warp_rows; ++row) {
        // The host adds in the same order: the columns of patches, then their sums.
        float column_sum = units[row];
#pragma unroll
        for (int k = 1; k < side; ++k)
          column_sum += units[row + k];
        float sum =
            patch == 0 ? column_sum : __shfl_sync(all_lanes, column_sum, lane - patch);
#pragma unroll
        for (int k = 1 - patch; k <= patch; ++k)
          sum += k == 0 ? column_sum : __shfl_sync(all_lanes, column_sum, lane + k);
        const PackedColor color = other_colors[row + patch];
        const float weight = patchWeight(sum, task.slope, task.offset) *
                             worths[other + (row + patch) * tile_stride];
        sums[row].red = fmaf(weight, static_cast<float>(redOf(color)), sums[row].red);
        sums[row].green =
            fmaf(weight, static_cast<float>(greenOf(color)), sums[row].green);
        sums[row].blue =
            fmaf(weight, static_cast<float>(blueOf(color)), sums[row].blue);
        sums[row].weight += weight;
      }
    }

  const int column = x0 + lane;
  if (lane < patch || lane >= warp_size - patch || column >= task.color.cols)
    return;
#pragma unroll
  for (int k = 0; k < warp_rows; ++k) {
    const int row = y0 + patch + warp * warp_rows + k;
    if (row < task.color.rows)
      writeMean<varies>(task, sums[k], column, row);
  }
}

template <int patch>
void
launch(const NonLocalMeansTask& task, cudaStream_t stream)
{
  const dim3 block(warp_size, block_warps);
  const dim3 grid(divideUp(task.color.cols, warp_size - 2 * patch),
                  divideUp(task.color.rows, block_warps * warp_rows));
  const auto kernel = task.variance.data ? nonLocalMeansKernel<patch, true>
                                         : nonLocalMeansKernel<patch, false>;
  kernel<<<grid, block, 0, stream>>>(task);
  checkLaunch("nonLocalMeans");
}

} // namespace

void
cuda::removeNoise(const NonLocalMeansTask& task, cudaStream_t stream)
{
  static_assert(max_patch_reach == 3, "a case for each reach");
  switch (task.patch_reach) {
  case 0:
    return launch<0>(task, stream);
  case 1:
    return launch<1>(task, stream);
  case 2:
    return launch<2>(task, stream);
  default:
    return launch<3>(task, stream);
  }
}

} // namespace pcl::device

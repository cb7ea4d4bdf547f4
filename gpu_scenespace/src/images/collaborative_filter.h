// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"
#include "images/pixel_noise.hpp"

#include <cmath>
#include <cstddef>

struct CUstream_st;

// Filtering groups of blocks. Images are split into planes of whole numbers, so that
// sums of blocks are exact in any order.

namespace pcl::device {

constexpr int block_side = 8, block_size = block_side * block_side;
constexpr int block_step = 4; ///< from block to block
constexpr int max_group_size = 16, max_group_reach = 10;

/** \brief The distance of a block from itself, which is the first of its group. */
constexpr float own_distance = -1.0f;

/** \brief Planes of an image: R + G + B, R - B and R - 2G + B. */
constexpr int plane_count = 3;

/** \brief Variances of planes, as multiples of that of R, G and B. */
PCL_GPU_HOST_DEVICE float
varianceFactor(int plane)
{
  return plane == 0 ? 3.0f : plane == 1 ? 2.0f : 6.0f;
}

/** \brief A filtered block: its planes, and their weights. */
struct BlockEstimate {
  float levels[plane_count][block_size];
  float weights[plane_count];
};

/** \brief The blocks of an image, and its planes, row by row without gaps. */
struct BlockGrid {
  int columns, rows; ///< of planes: those of the image, but at least a block's
  int across, down;  ///< number of blocks

  PCL_GPU_HOST_DEVICE static int
  countOf(int pixels)
  {
    return (pixels - block_side + block_step - 1) / block_step + 1;
  }

  /** \brief The first column or row of a block; the last one ends with the plane. */
  PCL_GPU_HOST_DEVICE static int
  firstOf(int block, int pixels)
  {
    const int first = block * block_step, last = pixels - block_side;
    return first < last ? first : last;
  }

  std::size_t
  pixels() const
  {
    return static_cast<std::size_t>(columns) * rows;
  }

  std::size_t
  blocks() const
  {
    return static_cast<std::size_t>(across) * down;
  }
};

inline BlockGrid
gridOf(int columns, int rows)
{
  BlockGrid grid{};
  grid.columns = columns < block_side ? block_side : columns;
  grid.rows = rows < block_side ? block_side : rows;
  grid.across = BlockGrid::countOf(grid.columns);
  grid.down = BlockGrid::countOf(grid.rows);
  return grid;
}

/** \brief Blocks to be filtered in groups. */
struct BlockGroupTask {
  BlockGrid grid;
  const float* planes[plane_count];
  const float* compared;  ///< R + G + B of the blocks that are compared
  const float* variances; ///< mean of each block's, at its first pixel; levels^2
  int group_size, search_reach;
  float threshold_square;
  float cosines[block_size]; ///< of the transform, row by row
  BlockEstimate* blocks;     ///< row by row
};

/** \brief The colour of a pixel, or of the nearest one of the image. */
PCL_GPU_HOST_DEVICE PackedColor
nearestColor(const PtrStepSz<const PackedColor>& color, int column, int row)
{
  const int x = column < color.cols ? column : color.cols - 1;
  const int y = row < color.rows ? row : color.rows - 1;
  return color.ptr(y)[x];
}

PCL_GPU_HOST_DEVICE float
levelSum(PackedColor color)
{
  return static_cast<float>(redOf(color) + greenOf(color) + blueOf(color));
}

/** \brief Writes a pixel of the plane that blocks are compared by. */
struct CopyBrightness {
  PtrStepSz<const PackedColor> color;
  float* plane;
  int columns; ///< of the plane

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    plane[static_cast<std::size_t>(row) * columns + column] =
        levelSum(nearestColor(color, column, row));
  }
};

/** \brief Writes a pixel of all planes. */
struct SplitPlanes {
  PtrStepSz<const PackedColor> color;
  float* planes[plane_count];
  int columns; ///< of the planes

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const PackedColor own = nearestColor(color, column, row);
    const std::size_t place = static_cast<std::size_t>(row) * columns + column;
    const int red = redOf(own), green = greenOf(own), blue = blueOf(own);
    planes[0][place] = levelSum(own);
    planes[1][place] = static_cast<float>(red - blue);
    planes[2][place] = static_cast<float>(red - 2 * green + blue);
  }
};

/** \brief Writes the mean variance of the block that begins at a pixel. */
struct MeanVariances {
  PtrStepSz<const float> variance;
  float* means;
  int columns; ///< of the planes

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    float sum = 0.0f;
    for (int i = 0; i < block_side; ++i) {
      const int y = row + i < variance.rows ? row + i : variance.rows - 1;
      for (int k = 0; k < block_side; ++k) {
        const int x = column + k < variance.cols ? column + k : variance.cols - 1;
        sum += countedVariance(variance.ptr(y)[x]);
      }
    }
    means[static_cast<std::size_t>(row) * columns + column] = sum / block_size;
  }
};

/** \brief Levels that means of clipped levels stand for: of 0 to 255, and one more for
 * interpolation. */
struct UnclippedLevels {
  float of[257];
};

/** \brief Writes a pixel: the weighted mean of the blocks that cover it. */
struct MergeBlocks {
  BlockGrid grid;
  const BlockEstimate* blocks;
  UnclippedLevels unclipped;
  PtrStep<PackedColor> output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    float sums[plane_count] = {}, weights[plane_count] = {};
    for (int j = firstCandidate(row); j <= lastCandidate(row, grid.down); ++j) {
      const int y = row - BlockGrid::firstOf(j, grid.rows);
      for (int i = firstCandidate(column); i <= lastCandidate(column, grid.across);
           ++i) {
        const int x = column - BlockGrid::firstOf(i, grid.columns);
        if (x < 0 || y < 0 || x >= block_side || y >= block_side)
          continue;
        const BlockEstimate& block =
            blocks[static_cast<std::size_t>(j) * grid.across + i];
        for (int k = 0; k < plane_count; ++k) {
          sums[k] += block.weights[k] * block.levels[k][y * block_side + x];
          weights[k] += block.weights[k];
        }
      }
    }
    const float third = sums[0] / weights[0] / 3.0f, half = sums[1] / weights[1] / 2.0f,
                sixth = sums[2] / weights[2] / 6.0f;
    rowOf(output, row)[column] = level(third + half + sixth) << 16 |
                                 level(third - 2.0f * sixth) << 8 |
                                 level(third - half + sixth) | 0xff000000u;
  }

private:
  /** \brief The first and the last block that may cover a pixel: one more at the end
   * than steps tell, since the last block may begin before its step. */
  PCL_GPU_HOST_DEVICE static int
  firstCandidate(int pixel)
  {
    const int block = (pixel - block_side + block_step) / block_step;
    return pixel < block_side ? 0 : block;
  }

  PCL_GPU_HOST_DEVICE static int
  lastCandidate(int pixel, int count)
  {
    const int block = pixel / block_step + 1;
    return block < count ? block : count - 1;
  }

  PCL_GPU_HOST_DEVICE PackedColor
  level(float mean) const
  {
    const float inside = mean < 0.0f ? 0.0f : mean > 255.0f ? 255.0f : mean;
    const int below = static_cast<int>(inside);
    const float from = unclipped.of[below], to = unclipped.of[below + 1];
    return roundedLevel(from + (inside - static_cast<float>(below)) * (to - from));
  }
};

namespace host {

void
filterBlocks(const BlockGroupTask& task);

} // namespace host

namespace cuda {

void
filterBlocks(const BlockGroupTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device

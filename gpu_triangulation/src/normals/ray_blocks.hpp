// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>
#include <pcl/gpu/utils/internal/device/element_math.hpp>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pcl::device {

/** \brief Number of RayMoments' members. */
constexpr int ray_moments = 10;

/** \brief Width and height of a tile, whose blocks are summed together, pixels. */
constexpr int ray_tile = 16;

/** \brief Sizes of windows: the blocks of level i are 2^i pixels wide, and its windows
 * are 2 x 2 blocks. A block of level 0 is a pixel. */
constexpr int ray_levels = 5;

/** \brief Returns the share of the first of the two windows, in one direction, that
 * hold a pixel. The shares fall towards a window's border. */
PCL_GPU_HOST_DEVICE float
firstWindowShare(int pixel, int level)
{
  const int size = 1 << level;
  return static_cast<float>(size - (pixel & (size - 1))) *
         (1.0f / static_cast<float>(size + 1));
}

/** \brief Moments of an image's blocks of one level, a plane for each member. */
struct RayBlocks {
  float* planes;
  int columns, rows;

  PCL_GPU_HOST_DEVICE float&
  at(int member, int row, int column) const
  {
    return planes[(static_cast<std::size_t>(member) * rows + row) * columns + column];
  }
};

/** \brief Numbers of windows by the variance of their residuals, for three sizes of
 * windows. */
struct NoiseHistogram {
  static constexpr int windows = 3;
  /** \brief A bin holds a quarter of an octave; the first those without residuals. */
  static constexpr int bins = 1024;

  unsigned int counts[windows][bins];

  /** \brief Returns the width of windows, pixels. The smallest are least bent by the
   * surface. */
  PCL_GPU_HOST_DEVICE static int
  width(int size)
  {
    return size == 0 ? 3 : 4 << size;
  }

  PCL_GPU_HOST_DEVICE static int
  binOf(float variance)
  {
    std::uint32_t bits;
    memcpy(&bits, &variance, sizeof bits);
    return static_cast<int>(bits >> 21);
  }

  PCL_GPU_HOST_DEVICE static float
  varianceOf(int bin)
  {
    const std::uint32_t bits = static_cast<std::uint32_t>(bin) << 21 | 1u << 20;
    float variance;
    memcpy(&variance, &bits, sizeof bits);
    return variance;
  }
};

/** \brief Variances of inverse depth, by the level of the windows. */
struct WindowNoise {
  float variances[ray_levels];
};

/** \brief Returns the place of the residuals that measure the noise, among those of one
 * size of windows: the first quarter of them. More than half of the others may be
 * bent.
 *
 * Windows of equal samples are left out: a quantized surface has many. If these are
 * most, there is no noise.
 * \param[in] equal number of windows of equal samples
 * \param[in] others number of other windows
 * \return 0 if there is no such place
 */
PCL_GPU_HOST_DEVICE unsigned int
noisePlace(unsigned int equal, unsigned int others)
{
  return others >= (equal + others + 3) / 4 ? (others + 3) / 4 : 0;
}

/** \brief Returns the noise for windows of each level.
 *
 * Noise of neighbouring pixels may be alike, so that the residuals grow with the
 * window; but those of bent surfaces grow faster.
 * \param[in] bins with the residuals that measure the noise, by size; 0 if there are
 * none
 */
PCL_GPU_HOST_DEVICE WindowNoise
windowNoise(const int (&bins)[NoiseHistogram::windows])
{
  // First quartile of chi-squared with 6, 61 and 253 degrees of freedom, over those.
  constexpr float quartiles[] = {0.5758f, 0.8727f, 0.9387f};
  // Deviations double at most with the width.
  constexpr float most_growth[] = {0.0f, 64.0f / 9.0f, 4.0f};
  float variances[NoiseHistogram::windows];
  for (int i = 0; i < NoiseHistogram::windows; ++i) {
    const float measured = NoiseHistogram::varianceOf(bins[i]) / quartiles[i];
    const float before = i > 0 ? variances[i - 1] : 0.0f;
    const bool is_found = bins[i] > 0;
    if (i == 0)
      variances[i] = is_found ? measured : 0.0f;
    else
      variances[i] = is_found
                         ? maximum(before, minimum(measured, before * most_growth[i]))
                         : before;
  }
  return {{variances[0], variances[0], variances[1], variances[2], variances[2]}};
}

/** \brief Scratch memory of adaptive windows. The histogram is 0 between runs. */
struct RayScratch {
  NoiseHistogram* histogram;
  unsigned int* finished;       ///< blocks of threads that have read it; 0 between runs
  RayBlocks blocks[ray_levels]; ///< of level 1 on

  /** \param[in] pieces divider of the memory
   * \param[in] columns of the image
   * \param[in] rows of the image
   */
  RayScratch(ScratchPieces& pieces, int columns, int rows)
  : histogram(pieces.take<NoiseHistogram>(1))
  , finished(pieces.take<unsigned int>(1))
  {
    blocks[0] = {nullptr, columns, rows};
    for (int level = 1; level < ray_levels; ++level) {
      const int blocks_per_tile = ray_tile >> level;
      RayBlocks& b = blocks[level];
      b.columns = divideUp(columns, ray_tile) * blocks_per_tile;
      b.rows = divideUp(rows, ray_tile) * blocks_per_tile;
      b.planes = pieces.take<float>(static_cast<std::size_t>(ray_moments) * b.columns *
                                    b.rows);
    }
  }
};

} // namespace pcl::device

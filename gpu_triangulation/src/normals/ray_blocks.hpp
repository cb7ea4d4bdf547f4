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

/** \brief Moments of an image's blocks of one level. */
struct RayBlocks {
  float* moments; ///< in an order that each device has for itself
  int columns, rows;
};

/** \brief Numbers of windows by the variance of their residuals, for three sizes of
 * windows. */
struct NoiseHistogram {
  static constexpr int windows = 3;
  /** \brief A bin holds a quarter of an octave; the first those without residuals, the
   * last all above 2^28 and the second all below 2^-100. */
  static constexpr int bins = 512;
  static constexpr int before_bins = (127 - 100) * 4; ///< quarters below the second

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
    const int quarter = static_cast<int>(bits >> 21) - before_bins;
    return variance == 0.0f ? 0 : quarter < 1 ? 1 : quarter < bins ? quarter : bins - 1;
  }

  PCL_GPU_HOST_DEVICE static float
  varianceOf(int bin)
  {
    const std::uint32_t bits =
        static_cast<std::uint32_t>(bin + before_bins) << 21 | 1u << 20;
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

/** \brief Returns the variance of the noise that one size of windows shows.
 * \param[in] bin with the residuals that measure the noise; 0 if there is none
 */
PCL_GPU_HOST_DEVICE float
noiseVariance(int size, int bin)
{
  // First quartile of chi-squared with 6, 61 and 253 degrees of freedom, over those.
  const float inverse_quartile = 1.0f / (size == 0   ? 0.5758f
                                         : size == 1 ? 0.8727f
                                                     : 0.9387f);
  return bin > 0 ? NoiseHistogram::varianceOf(bin) * inverse_quartile : 0.0f;
}

/** \brief Returns the noise for windows of each level.
 *
 * Noise of neighbouring pixels may be alike, so that the residuals grow with the
 * window; but those of bent surfaces grow faster: deviations double at most with the
 * width.
 * \param[in] measured by size of windows; 0 where nothing was measured
 */
PCL_GPU_HOST_DEVICE WindowNoise
windowNoise(const float (&measured)[NoiseHistogram::windows])
{
  constexpr float growth_to_8 = 64.0f / 9.0f, growth_to_16 = 4.0f;
  const float small = measured[0];
  const float middle = maximum(small, minimum(measured[1], small * growth_to_8));
  const float large = maximum(middle, minimum(measured[2], middle * growth_to_16));
  return {{small, small, middle, large, large}};
}

/** \brief Scratch memory of adaptive windows. The histogram is 0 between runs. */
struct RayScratch {
  NoiseHistogram* histogram;
  unsigned int* finished; ///< blocks of threads that have read it; 0 between runs
  RayBlocks blocks[ray_levels]{}; ///< of level 1 on

  /** \param[in] pieces divider of the memory
   * \param[in] columns of the image
   * \param[in] rows of the image
   */
  RayScratch(ScratchPieces& pieces, int columns, int rows)
  : histogram(pieces.take<NoiseHistogram>(1))
  , finished(pieces.take<unsigned int>(1))
  {
    for (int level = 1; level < ray_levels; ++level) {
      const int blocks_per_tile = ray_tile >> level;
      RayBlocks& b = blocks[level];
      b.columns = divideUp(columns, ray_tile) * blocks_per_tile;
      b.rows = divideUp(rows, ray_tile) * blocks_per_tile;
      b.moments = pieces.take<float>(static_cast<std::size_t>(ray_moments) * b.columns *
                                     b.rows);
    }
  }
};

} // namespace pcl::device

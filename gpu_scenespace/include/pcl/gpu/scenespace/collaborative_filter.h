// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Parameters of a CollaborativeFilter.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS CollaborativeFilterParameters {
  /** \brief The largest group. */
  static constexpr int max_group_size = 16;
  /** \brief The largest search reach, pixels. */
  static constexpr int max_search_reach = 10;

  /** \brief Blocks of a group, the own one included; 1 to max_group_size. More remove
   * more noise, and lines of which there are fewer blocks than that. */
  int group_size = 8;
  /** \brief Reach of the window that blocks are looked for in: it is 2 reach + 1 blocks
   * wide and high, one for each pixel; 0 to max_search_reach. */
  int search_reach = 7;
  /** \brief Coefficients of a transform that are no larger than this many deviations of
   * their noise are dropped; 0 to 100. The default is that of Dabov et al. 2007. */
  float threshold = 2.7f;
  /** \brief Deviation of the noise of levels that were clipped to 0 to 255 before the
   * image was made, as their mean: levels, 0 or more. The mean of a white pixel's noisy
   * levels is below 255. Results are the levels whose clipped noisy ones have the mean
   * that was found; 0: the mean itself. */
  float clipped_noise = 0.0f;

  /** \brief Rejects values outside of these ranges.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes noise from an image, and keeps faint details that repeat along lines
 * and edges: blocks that look alike are filtered together.
 *
 * After BM3D (Dabov et al. 2007), for noise that differs from pixel to pixel. For each
 * block of 8x8 pixels, every 4 pixels, the blocks are found whose brightness R + G + B
 * differs least: in the sum of squares, divided by the sum of the two blocks' mean
 * variances. The mean of the group and the block's difference from it are transformed
 * by the cosine transform, in R + G + B, R - B and R - 2G + B. Coefficients of both
 * that noise alone may explain are dropped. Each pixel becomes the mean of the blocks
 * that cover it, weighted by 1 / (1 + m + n d), with m and d the numbers of kept
 * coefficients of the mean and the difference, and n the number of the group's blocks.
 *
 * A detail whose contrast is less than the noise of a pixel survives, since a group's
 * mean has less noise. All this is done twice. The second time, blocks are compared by
 * the first result, and filtered from the image again.
 *
 * Departures from BM3D: a group is transformed to its mean and the own block's
 * difference, not by a wavelet, and gives its own block alone, so that each pixel is
 * written once. The second pass is a threshold, too, not a Wiener filter.
 *
 * Variances that are below 1/12, that of rounding to whole levels, count as that. Those
 * that are infinite, NaN or above NonLocalMeans::max_variance count as that one. Blocks
 * of images that are narrower or lower than a block go on with the last column or row.
 * The same bits on every device. O(pixels x window). Memory is kept from one run to the
 * next: steady state neither allocates nor waits.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS CollaborativeFilter
: public Parameterized<CollaborativeFilterParameters> {
public:
  /** \brief Removes noise.
   * \param[in] color the image; alpha does not matter
   * \param[in] variance of the noise of each of a pixel's red, green and blue, levels^2
   * of 0 to 255; of the same size and on the same device
   * \param[out] result of the same size, on the same device; may share memory with
   * neither
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: images of two sizes or on
   * two devices, a result that is an input
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DeviceArray2D<RGB>& color,
          const DeviceArray2D<float>& variance,
          DeviceArray2D<RGB>& result,
          const Stream& stream = {});

  /** \brief Returns the memory that a filter keeps.
   * \param[in] columns,rows of its largest image, pixels
   * \return bytes of device memory, an upper bound
   */
  static std::size_t
  estimateMemory(int columns, int rows);

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu

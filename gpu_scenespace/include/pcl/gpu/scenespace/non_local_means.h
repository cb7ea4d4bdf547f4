// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

namespace pcl::gpu {

/** \brief Parameters of a NonLocalMeans.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS NonLocalMeansParameters {
  /** \brief The largest patch reach, pixels. */
  static constexpr int max_patch_reach = 3;
  /** \brief The largest search reach, pixels. */
  static constexpr int max_search_reach = 10;

  /** \brief Reach of the patches that are compared: they are 2 reach + 1 pixels wide
   * and high; 0 to max_patch_reach. */
  int patch_reach = 1;
  /** \brief Reach of the window that pixels are looked for in: it is 2 reach + 1 pixels
   * wide and high; 0 to max_search_reach. */
  int search_reach = 5;
  /** \brief Difference that averaged pixels may have: h, without unit, 0.01 to 100.
   * More removes more noise, and more detail. */
  float strength = 0.8f;

  /** \brief Rejects values outside of these ranges.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes noise from an image: each pixel becomes the mean of those around it
 * whose surroundings look like its own.
 *
 * Non-local means (Buades et al. 2005), for noise that differs from pixel to pixel:
 * O(p) = 1/W sum w(q) C(q) over all q of the image in a window around p, with w(q) =
 * exp(-max(0, d - 1) / h^2) / V(q). V is the variance of the noise, and d the mean of
 * |C(p + k) - C(q + k)|^2 / (3 (V(p + k) + V(q + k))) over all k of a patch: about 1
 * where noise is all that the patches differ by. Beyond the image's border, patches
 * have the colour and the variance of the nearest pixel.
 *
 * Variances below 1/12, that of rounding to whole levels, count as that, and those
 * above max_variance as that. Pixels with
 * - a variance of 0 or less have no noise: they stay as they are, and others use them
 *   as if they were only rounded;
 * - a variance that is infinite or NaN have unknown noise: they stay as they are, no
 *   other pixel uses them, and patches compare them as if they had the largest
 *   variance.
 *
 * Weights are exact to 4e-6, relative, and do not fall below 2^-100. O(pixels x
 * window). Steady state neither allocates nor waits. The same bits on every device.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS NonLocalMeans : public Parameterized<NonLocalMeansParameters> {
public:
  /** \brief The largest variance that counts, levels^2. */
  static constexpr float max_variance = 1e6f;

  /** \brief Removes noise that differs from pixel to pixel.
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
          const Stream& stream = {}) const;

  /** \brief Removes noise that is the same for all pixels; faster than with variances.
   * \param[in] color the image; alpha does not matter
   * \param[in] sigma deviation of the noise of red, green and blue, levels of 0 to 255
   * \param[out] result of the same size, on the same device; may not share its memory
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: \a sigma unless finite and
   * positive, a result that is the input
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DeviceArray2D<RGB>& color,
          float sigma,
          DeviceArray2D<RGB>& result,
          const Stream& stream = {}) const;

private:
  void
  run(const DeviceArray2D<RGB>& color,
      const DeviceArray2D<float>* variance,
      float pair_variance,
      DeviceArray2D<RGB>& result,
      const Stream& stream) const;
};

} // namespace pcl::gpu

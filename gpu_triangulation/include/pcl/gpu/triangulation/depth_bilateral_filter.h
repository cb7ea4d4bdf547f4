// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Smooths a depth map and keeps its edges: the exact bilateral filter.
 *
 * P_f = 1/K_p sum V_q f(|p - q|) g(|V_p - V_q|) over a square window, with Gaussian f and
 * g: Orts-Escolano et al. 2014, eq. (3). A pixel without measurement adds nothing to its
 * neighbours and stays without. Beyond a depth edge of more than a few sigma_r the weight
 * vanishes, so that edges do not bleed.
 *
 * O(pixels x window). Steady state neither allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS DepthBilateralFilter {
public:
  /** \brief The largest window radius. */
  static constexpr int max_window_radius = 16;

  /** \brief Sets the standard deviation of the domain kernel f.
   * \param[in] sigma_s pixels; 4.5 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaS(float sigma_s);

  /** \return the standard deviation of the domain kernel, pixels */
  float
  getSigmaS() const;

  /** \brief Sets the standard deviation of the range kernel g.
   * \param[in] sigma_r metres; 0.03 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaR(float sigma_r);

  /** \return the standard deviation of the range kernel, metres */
  float
  getSigmaR() const;

  /** \brief Lets the range kernel grow with depth, as structured-light noise does.
   *
   * The standard deviation at depth z becomes sigma_r + growth z^2. Not in the paper.
   * \param[in] growth 1/metre; 0 by default, which is eq. (3); a Kinect's depth step is
   * about 0.0028 z^2
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setSigmaRGrowth(float growth);

  /** \return the growth of the range kernel with depth, 1/metre */
  float
  getSigmaRGrowth() const;

  /** \brief Sets the window: 2 radius + 1 pixels wide and high.
   * \param[in] radius pixels, 1 to max_window_radius; 6 by default (13 x 13)
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setWindowRadius(int radius);

  /** \return the window radius, pixels */
  int
  getWindowRadius() const;

  /** \brief Filters raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[out] filtered metres, of the same size; NaN where \a depth has no measurement
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if \a scale is not finite and positive
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth,
          float scale,
          DepthMap& filtered,
          const Stream& stream = {}) const;

  /** \brief Filters depth in metres.
   * \param[in] depth metres
   * \param[out] filtered metres, of the same size; must not share \a depth's memory
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if both share memory
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth, DepthMap& filtered, const Stream& stream = {}) const;

private:
  template <typename Depth>
  void
  run(const Depth& depth, float scale, DepthMap& filtered, const Stream& stream) const;

  float sigma_s_ = 4.5f;
  float sigma_r_ = 0.03f;
  float sigma_r_growth_ = 0.0f;
  int window_radius_ = 6;
};

} // namespace pcl::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/depth_bilateral_filter_parameters.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Smooths a depth map and keeps its edges: the exact bilateral filter.
 *
 * P_f = 1/K_p sum V_q f(|p - q|) g(|V_p - V_q|) over a square window, with Gaussian f
 * and g: Orts-Escolano et al. 2014, eq. (3). A pixel without measurement adds nothing
 * to its neighbours and stays without. Beyond a depth edge of more than a few sigma_r
 * the weight vanishes, so that edges do not bleed.
 *
 * O(pixels x window). Steady state neither allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS DepthBilateralFilter
: public Parameterized<DepthBilateralFilterParameters> {
public:
  /** \brief Filters raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[out] filtered metres, of the same size; NaN where \a depth has no
   * measurement
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
};

} // namespace pcl::gpu

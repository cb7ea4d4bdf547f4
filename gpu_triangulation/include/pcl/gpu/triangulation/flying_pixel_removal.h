// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a FlyingPixelRemoval.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS FlyingPixelRemovalParameters {
  /** \brief Depths that differ by less may be one surface with its noise: the
   * difference at depth 0, metres. */
  float tolerance = 0.006f;
  /** \brief 1/metre: at depth z the tolerance is tolerance + growth z^2. With the
   * defaults it is 3 to 5 deviations of a Kinect's noise from 1 to 4 m. */
  float tolerance_growth = 0.004f;

  /** \brief Rejects numbers that are not finite or below zero.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes flying pixels from a depth map: measurements between an object and
 * its background, away from any surface.
 *
 * A pixel at the outline of an object sees both, and sensors give a depth in between.
 * On one of the four lines through such a pixel, its depth lies between those of the
 * next pixels on both sides, further from either than the tolerance, and it continues
 * the surface on neither side. Inverse depth is linear on planes: the line through the
 * two pixels next to it foretells its own, and so does that of least squares through
 * five, which has less noise. A surface's change from pixel to pixel adds to the
 * tolerance. One of the sides may be a pixel further off, if the pixel between flies,
 * too. These remain:
 *  - surfaces seen at a slant, which continue on both sides;
 *  - things of one or more pixels' width that are nearer, or farther, than both sides;
 *  - steps of two or more pixels of the same depth.
 *
 * A step of one pixel's width between two others, such as the edge of a sheet of paper,
 * cannot be told from flying pixels and is removed. Flying pixels remain within two
 * pixels of the image's border and of pixels without measurement, and beside things of
 * one pixel's width. O(pixels). Neither allocates nor waits in steady state.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS FlyingPixelRemoval
: public Parameterized<FlyingPixelRemovalParameters> {
public:
  /** \brief Cleans raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[out] cleaned metres, of the same size; NaN at flying pixels and where \a
   * depth has no measurement
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if \a scale is not finite and positive
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth,
          float scale,
          DepthMap& cleaned,
          const Stream& stream = {}) const;

  /** \brief Cleans depth in metres. See above.
   * \param[in] depth metres
   * \param[out] cleaned metres, of the same size; must not share \a depth's memory
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if both share memory
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth, DepthMap& cleaned, const Stream& stream = {}) const;

private:
  template <typename Depth>
  void
  run(const Depth& depth, float scale, DepthMap& cleaned, const Stream& stream) const;
};

} // namespace pcl::gpu
